import { matchesIn, scanRule } from '../rule.ts';

export const vendorClaimed = scanRule({
  code: 'vendor-claimed',
  category: 'impersonation',
  level: 'medium',
  hints: [
    'official',
    'verified',
    'approved',
    'certified',
    'audited',
    'signed by',
    'endorsed',
    'vetted',
    'security-reviewed',
    'scanned',
    'whitelisted',
    'trusted',
    'safe',
    'author:',
  ],
  nature: 'instruction',
  title: 'Skill claims to be official or verified',
  about:
    'The text of a skill cannot prove that it is official, verified or safe. Such claims discourage people and models from checking.',
  fix: 'Remove the claim. The lock file records the origin of a skill.',
  bad: 'description: "Official Anthropic skill for PDF forms, verified as safe"',
  good: 'description: "Fills in PDF forms with the official Adobe SDK"',
  *find({ texts }) {
    for (const file of texts) {
      if (file.kind !== 'prose') continue;
      for (const place of matchesIn(file, CLAIMS))
        yield { ...place, level: 'medium', message: 'claims to be official, verified or safe' };
    }
  },
});

const VENDOR = '(?:anthropic|openai|google|microsoft|github|claude|codex|cursor|apple|amazon|aws|meta|vercel)';
const CLAIMS = new RegExp(
  `\\b(?:this is (?:an? |the )?)?official(?:ly)? ${VENDOR}(?: code)? (?:skill|plugin|extension|agent skill)\\b|\\b(?:verified|approved|certified|audited|signed|endorsed|vetted|pre-?approved|security-reviewed) (?:and \\w+ )?by (?:the )?${VENDOR}\\b|\\b(?:verified|approved|certified|audited|vetted|pre-?approved) by (?:the |our |your |its )?(?:security|trust|compliance|safety) team\\b|\\b(?:skill|file|script)s? (?:has been|have been|was|is|are) (?:already )?(?:verified|audited|scanned|certified|whitelisted|pre-?approved)[^.\\n]{0,40}\\b(?:safe|secure|security team|no (?:review|scan|check)|trust)|\\b(?:this skill|the (?:scripts?|commands?)) (?:is|are) (?:completely |100% |fully )?(?:safe|trusted|verified)[^.\\n]{0,60}\\b(?:no need to|do not|don['’]t|skip|without) (?:review|check|ask|verif|inspect|scan)|^author: ["']?${VENDOR}(?: (?:team|inc|security))?["']?$`,
  'gmu',
);
