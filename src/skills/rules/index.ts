/** Every rule of `validate`, in the order of the report. A new complaint is a rule in one of these files. */
import * as fields from './fields.ts';
import * as name from './name.ts';
import * as packaging from './package.ts';
import type { SkillRule } from './rule.ts';
import * as text from './text.ts';

export const SKILL_RULES: readonly SkillRule[] = [
  name.nameLength,
  name.nameCapitals,
  name.nameCharacters,
  name.nameHyphens,
  name.nameDoubleHyphen,
  name.nameFolder,
  name.nameLookalike,
  fields.descriptionLength,
  fields.descriptionListing,
  fields.descriptionMarkup,
  fields.compatibilityInvalid,
  fields.metadataInvalid,
  fields.allowedToolsType,
  fields.fieldUnknown,
  fields.fieldUnknownToClaude,
  text.bodyEmpty,
  text.bodyLength,
  text.hiddenText,
  text.bidiControls,
  text.zeroWidth,
  text.controlCharacters,
  text.encodingInvalid,
  packaging.packageTooManyFiles,
  packaging.packageTooLarge,
  packaging.metadataReserved,
];
