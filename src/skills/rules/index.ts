/** Every rule of `validate`, in the order of the report. A new complaint is a rule in one of these files. */
import * as fields from './fields.js';
import * as name from './name.js';
import * as packaging from './package.js';
import type { SkillRule } from './rule.js';
import * as text from './text.js';

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
