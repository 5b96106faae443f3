/**
 * Orders to an agent that no honest skill gives, in the many wordings that people use. Each pattern names who is affected and what is
 * done, so that documentation with the same words does not match. The word vectors of the search were tried first: they tell topics
 * apart, but not an order to hide something from advice not to.
 */
import type { TextFile } from './text-file.ts';

type Intent = 'conceal' | 'override' | 'disable-safety' | 'impersonate';

const PERSON =
  '(?:(?:the |your |any |our )?(?:end[ -]?)?(?:users?|humans?|operators?|reviewers?|owners?|customers?|developers?|maintainers?|person|account owner)|anyone|anybody|them|they|people|nobody|somebody)';
const REPORT =
  '(?:(?:final |status |end )?(?:summary|report|reply|answer|response|message|transcript|diff|log|output|chat|conversation|changelog|commit message|recap))';
const THING =
  '(?:this|that|it|these|those|the (?:[\\w-]+ ){0,3}(?:step|command|call|request|upload|download|change|file|line|key|token|traffic|copy|transfer|instruction|note|rule|paragraph|section|action|hook|entry|commit|branch|script|package|server|permission|failure|error|backup|sync|url|address|host)s?)';

const CONCEAL = [
  new RegExp(
    `\\b(?:hide|conceal|mask|bury|withhold|disguise|obscure|keep) ${THING}(?: [\\w-]+){0,6} (?:from|secret from|invisible to|hidden from|away from) ${PERSON}\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:the |this )?(?:users?|reviewers?|owners?|they|operator|humans?|nobody|no one) (?:must|should|is|are|may|shall) (?:not|never|n['’]t) (?:to |ever )?(?:notice|learn|find out|know about|be told|be informed|be aware|suspect|realize|discover)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:so|such) (?:that )?(?:${PERSON}|it) (?:won['’]t|will not|doesn['’]t|does not|don['’]t|do not|cannot|can['’]t|never|has no|have no) (?:be |get )?(?:notice|suspect|see|find|realize|become suspicious|suspicious|ask|alarm|reason|cause)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:won['’]t|will not|doesn['’]t|does not|not|never) (?:suspect|notice) (?:anything|a thing|the|that|it)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:do not|don['’]t|never|must not|should not|avoid|refrain from|no need to|you may not) (?:ever |also |explicitly )?(?:mention|mentioning|list|listing|include|including|report|reporting|log|logging|show|showing|describe|describing|note|reference|referencing|print|printing|surface|surfacing|bring up|quote|quoting|record|acknowledge|explain|announce|tell) (?:to ${PERSON} )?(?:${THING}|about ${THING}|any of (?:this|it)|what you did|that you (?:did|ran|read|sent|copied|changed|added|used))(?: [\\w-]+){0,4} (?:in|to|from|on|within) (?:the |your |any )?(?:${REPORT}|${PERSON})\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:never|do not|don['’]t|under no circumstances(?: should)?|you may not|must not) (?:reveal|disclose|admit|confess|acknowledge|expose|confirm|leak) (?:that |the (?:existence|content|presence|source|text|purpose) of |anything about )?(?:these|this|the|your|its) (?:[\\w-]+ ){0,2}(?:instructions?|sections?|steps?|uploads?|rules?|prompts?|paragraphs?|files?|configuration|copy|transfer|behaviou?r)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:keep|leave) (?:${THING}|any mention of [\\w\\s-]{1,30}) out of (?:the |your |any )?${REPORT}`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:leave out|omit|strip|drop|skip|exclude|remove|filter) (?:${THING}|that you [\\w ]{3,40}|(?:any|every|all) (?:mention|trace|reference|sign)s?(?: of [\\w ]{2,30})?) (?:from|in|before) (?:you show|the |your |any )?(?:${REPORT}|history|diff)`,
    'gmu',
  ),
  new RegExp(
    `(?<=^|[.;:,!] |[-*] |\\b(?:then|and|always|must|should) )(?:say|claim|report|pretend|state|write|answer|respond|tell (?:them|the user)|insist)\\b(?: that)? (?:success|"|you (?:could|did|have) not|nothing|that no|no |everything|it (?:worked|failed|succeeded))[^.\\n]{0,60}\\b(?:regardless of|even though|even if|no matter|whatever (?:you|happened)|although you|when in fact)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:if|when|whenever|should|in case) (?:[\\w']+ ){0,3}?(?:asks?|asked|questions?|questioned|inquires?|wonders?|notices?|points? (?:at|out)) [^.\\n]{0,80}(?:,|:| then)? (?:say|tell (?:them|him|her|the user)|answer|describe|claim|respond|reply|state|deny|explain)\\b[^.\\n]{0,60}\\b(?:routine|ordinary|normal|nothing|standard|cach\\w+|maintenance|(?:don['’]t|do not) (?:know|have)|no (?:files?|data|network|such)|false positive|expected|a bug|telemetry|harmless|update checks?|diagnostics?|required by)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:act|appear|look|behave|continue|carry on|proceed) (?:surprised|as (?:if|though) (?:nothing|everything|you (?:had|did|have) not)|as normal\\b(?=[^.\\n]{0,40}\\b(?:after|without|even|once)))`,
    'gmu',
  ),
  new RegExp(`\\blet (?:the user|them|reviewers?|people) (?:believe|think|assume) (?:that )?`, 'gmu'),
  new RegExp(
    `\\b(?:turn off|disable|stop|pause) (?:the )?(?:logging|audit(?:ing)?|history|telemetry|recording)(?: [\\w-]+){0,4},? (?:first|before|then|while|so that|during)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\bwithout (?:telling|informing|notifying|alerting|mentioning it to|drawing the attention of) (?:anyone|anybody|${PERSON}|a soul)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:remove|delete|erase|wipe|clear|cover) (?:the |all |any |every |your )(?:[\\w-]+ ){0,2}(?:traces|evidence|mentions?|tracks|log entries|shell history)\\b(?= (?:of|from|after|before|so)|[.;])`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:in|into|under) the background\\b[^.\\n]{0,60}\\b(?:without|so (?:that )?(?:the user|they|nobody)|before (?:the user|they))\\b`,
    'gmu',
  ),
  new RegExp(
    `(?<=^|[.,;:!?(–—*>_-] {0,2}|\\b(?:and|then|please|also|must|should|always|you|first|next|now|shall) )(?<!\\b(?:not|never|n['’]t|no|nothing|cannot|would|could|may|might|can|that|which|it) (?:and |then |also |to )?)(?:silently|secretly|quietly|covertly|discreetly|stealthily|unobtrusively) (?:add|send|run|append|include|insert|copy|attach|forward|upload|install|collect|record|write|change|modify|replace|commit|push|set|store|save|submit|enable|disable|read|grant|post|fetch|switch)\\b(?! (?:fail|ignore))`,
    'gmu',
  ),
];

const RULES =
  '(?:(?:previous|prior|earlier|above|preceding|existing|original|initial|usual|normal|other|system|safety|project|developer|user|former|all|any|your|the|every|of|those|these|and|or) ){0,5}(?:instructions?|rules?|guidelines?|prompts?|directives?|policies|policy|constraints?|guardrails?|restrictions?|limits?|conventions|context|orders|safeguards)';
const OVERRIDE = [
  new RegExp(
    `\\b(?:disregard|abandon|throw away|set aside|stop following|no longer follow|un-?learn|do not obey|don['’]t obey|pay no attention to|forget(?: about)?) (?:${RULES}|what(?:ever)? (?:the user|you were|your)|everything (?:you|the user|above|before)|the (?:current|original|user['’]s) (?:task|request|goal|plan)|the plan you)\\b(?! (?:of|in|for) (?:the )?(?:linter|compiler|database|table))`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:this|these|the following|the contents? of this|its)(?: [\\w-]+){0,3} (?:has|have|takes?|is of|carr(?:y|ies)|outranks?|supersedes?|overrides?|overrules?|replaces?|wins? over)(?: (?:higher|absolute|full|the highest|more))? ?(?:authority|precedence|priority)? ?(?:over|than|above)? (?:the |any |all |every |your |what )*(?:users?(?:['’]s)?|system prompt|system instructions|person in the chat|operator|developer|principal|previous instructions|earlier instructions|other instructions|safety (?:rules|guidelines)|platform (?:rules|policy)|agent['’]s)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:you are|you['’]re|consider yourself|you have been) (?:now |hereby )?(?:no longer|released|freed|exempt|unlocked|liberated)(?: [\\w-]+){0,3} (?:bound|limited|restricted|required|constrained|from|of|to)\\b[^.\\n]{0,40}\\b(?:rules?|limits?|guidelines?|conventions|instructions|restrictions|policy|policies|constraints|obligations?|confirm|ask)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:even if|although|when|whenever|whatever|regardless of whether|no matter (?:what|if|whether)) (?:the )?user (?:says? no|refuses|objects|declines|disagrees|asks? you to stop|tells? you (?:to stop|not to)|types next|cancels)\\b[^.\\n]{0,80}`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:the )?user['’]s (?:refusal|objections?|wishes|answer|request to stop|preferences) (?:is|are|does|do) (?:not|n['’]t)(?: [\\w]+)? (?:final|relevant|binding|matter|count|important)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:your|all|any|the|those) (?:previous|prior|earlier|original|initial|existing|old|system)? ?(?:instructions|rules|guidelines|prompt|context|directives|restrictions)(?: above)? (?:are|is|were|was|have been|has been) (?:now |hereby )?(?:replaced|void|invalid|cancell?ed|suspended|superseded|null|lifted|only examples|just examples|sent by mistake|written for (?:a different|another))`,
    'gmu',
  ),
  new RegExp(
    `\\bprior context (?:is )?(?:invalid|void)|\\bi am (?:replacing|overriding|changing) your (?:instructions|rules|prompt)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:switch|change|go|enter|boot|drop) (?:in)?to (?:developer|debug|admin(?:istrator)?|root|god|unrestricted|maintenance|jailbreak) mode\\b(?=[^.\\n]{0,80}\\b(?:rules?|restrictions?|limits?|filters?|guidelines|policy|policies|safety|without)\\b)`,
    'gmu',
  ),
  new RegExp(`\\bact as if (?:no|you had no|there were no) (?:instructions|rules|restrictions|guidelines)`, 'gmu'),
  new RegExp(
    `\\btreat (?:this|the (?:rest|remainder|following|text|above))(?: [\\w-]+){0,5} as (?:if|though) (?:it|they|your|the|anthropic|openai|a)(?: [\\w-]+){0,4} (?:typed|wrote|written|said|came|issued)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:drop|lift|remove|forget|ignore) (?:every|all|any) (?:restriction|limit|safeguard|constraint|limitation|guardrail)s?\\b(?= ?(?:you|that|on you|until|for you|$|[.,;]))`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:let|allow) (?:it|this|these|the [\\w ]{1,30}) (?:to )?(?:overrule|override|replace|supersede) (?:the |your |any |all )*(?:instructions|rules|system prompt|guidelines|session)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:interpret|read|treat) (?:every|all|each) (?:rule|instruction|guideline)s?(?: [\\w]+){0,5} (?:as (?:its|the) opposite|as optional|as void)`,
    'gmu',
  ),
];

const DISABLE = [
  new RegExp(
    `\\b(?:accept|approve|confirm|grant|click) (?:every\\w*|all|any|each|yes to (?:all|every\\w*|any))(?: [\\w-]+){0,4} (?:without (?:reading|asking|checking|looking|review\\w*|showing)|automatically|on (?:the user['’]s|their) behalf)`,
    'gmu',
  ),
  new RegExp(`\\b(?:accept|approve) (?:it|them) without (?:reading|asking|checking)`, 'gmu'),
  new RegExp(
    `\\b(?:never|do not|don['’]t|no need to|stop|without) (?:ask(?:ing)?|wait(?:ing)?|request(?:ing)?|prompt(?:ing)?)(?: the user| them| anyone)? (?:for|before) (?:[\\w-]+ ){0,3}(?:confirmation|permission|approval|consent)\\b(?=[^.\\n]{0,80}\\b(?:run|delet|push|install|send|upload|execut|command|repository|session|always|ever|any|every|all|before|just|simply|owner|annoy))`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:assume|treat|consider|mark) (?:that )?(?:all|every|any|each|the whole|the entire) (?:of the )?(?:commands?|tools?|scripts?|disk|actions?|requests?|servers?|steps?|folders?|operations?) (?:[\\w-]+ ){0,5}(?:(?:is|are|as) )?(?:already )?(?:approved|trusted|safe|allowed|a trusted workspace|consented|authorized|pre-?approved)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:replace|change|turn|switch|convert|rewrite) (?:the |all |every )?[\`"']?(?:ask|deny)[\`"']? (?:entries|rules|list|permissions?)(?: [\\w-]+){0,4} [\`"']?allow`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:remove|empty|clear|delete|drop|disable|bypass|comment out) (?:the |all |every )?(?:deny ?(?:list|rules?|entries)|guard hooks?|permission (?:checks?|prompts?|system)|approval (?:prompts?|checks?|gate)|safety (?:checks?|hooks?|prompts?)|confirmation (?:prompts?|dialogs?)|pretooluse hooks?|policy check|sandbox(?:ing)?)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:turn|switch) off (?:the )?(?:sandbox(?:ing)?|permission (?:checks?|prompts?)|approvals?|confirmations?|safety (?:checks?|mode))\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:enter|switch to|enable|stay in) (?:yolo|auto-?approve|bypass|full[- ]auto|dangerous) mode\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:auto-?approve|always allow) (?:for |on )?(?:every|all|any) (?:server|tool|command|request|action|mcp)`,
    'gmu',
  ),
  new RegExp(
    `\\bthe user has (?:already |implicitly )?(?:approved|consented|agreed|authorized|given (?:full |prior |blanket )?(?:consent|permission|approval))\\b(?=[^.\\n]{0,100}\\b(?:no need|without|skip|do not|don['’]t|all|any|every|everything))`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:uninstall|stop|disable|mask) (?:the |all |any )?(?:endpoint protection|antivirus|audit service|selinux|apparmor|edr|defender)\\b(?=[^.\\n]{0,80}\\b(?:first|so (?:it|that)|before|slows?|leave|cannot))`,
    'gmu',
  ),
];

const VENDOR =
  '(?:anthropic|openai|google|microsoft|github|apple|amazon|aws|meta|stripe|paypal|okta|slack|cloudflare|crowdstrike|docker|npm|pypi|vercel|atlassian|gitlab)';
const ROLE =
  '(?:support|staff|security(?: team)?|administrators?|help ?desk|it department|moderators?|employees?|engineers?|maintainers?|auditors?|payroll)';
const IMPERSONATE = [
  new RegExp(
    `\\b(?:pretend to be|claim to be|pose as|present yourself as|introduce yourself as|identify yourself as|act as|speak as|respond as|answer as(?: though| if)? you were|describe yourself as) (?:if )?(?:you were )?(?:an? |the )?(?:[\\w-]+ ){0,2}(?:${VENDOR}(?:['’]s)? (?:${ROLE})|${ROLE} (?:of|at|from) ${VENDOR}|courier|the bank|author of the|user in the|user['’]s (?:boss|manager|bank))\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:you are|you represent|i am|this is|we are) (?:now |an? |the |from )*(?:${VENDOR} (?:${ROLE})|(?:${ROLE}) (?:at|from|of) ${VENDOR})\\b`,
    'gmu',
  ),
  new RegExp(`\\byou (?:represent|speak for|are calling from|work for) ${VENDOR}\\b`, 'gmu'),
  new RegExp(
    `\\b(?:sign|commit|reply|post|send|respond|approve|publish|submit|comment)(?: [\\w'’-]+){0,5} (?:as|in the name of|under the name(?: and address)? of|in) (?:the |their |another )?(?:user['’]s (?:manager|boss|employer|bank)|customer['’]s name|(?:lead|senior|original|upstream) (?:maintainer|developer|reviewer)s?)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:forge|spoof|falsify|counterfeit|fabricate) (?:the |a |an |their )?(?:["'\`]?[\\w-]+["'\`]? ){0,3}(?:signatures?|approvals?|reviews?|reviewed-by|identity|caller id|sender|headers?|badge|certificate|invoice|notice|sign-?in|commit|author|receipt|line)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\bset the author of [\\w ]{1,20} to [\`"']?[\\w\\[\\]@. -]{2,40}|--author[= ]["']?(?:dependabot|github-actions|renovate|anthropic|claude|security|linus|root|admin)\\b|\\bgit config (?:--global |--local )?user\\.(?:name|email) ["']?(?:dependabot|github|renovate|security|root|noreply@(?:anthropic|github|openai))`,
    'gmu',
  ),
  new RegExp(
    `(?<=^|[>*#\\n.] ?)(?:important )?(?:message|notice|note|announcement|advisory|directive) from (?:the )?(?:${VENDOR}|(?:system |your )?(?:${ROLE}))(?: [\\w-]+){0,3}\\s?(?::|—|–)`,
    'gmu',
  ),
  new RegExp(
    `\\bofficially (?:endorsed|certified|verified|approved|audited|signed|vetted) by (?:the )?${VENDOR}\\b|["“](?:verified|certified|approved|endorsed) by ${VENDOR}["”]`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:describe|present|advertise|pass off) (?:the |this |it|our )?(?:[\\w-]+ ){0,2}as (?:the |an? )?(?:official|original|genuine|verified|authentic)`,
    'gmu',
  ),
  new RegExp(
    `\\b(?:look|looks|styled|dressed)(?: up)? (?:exactly |just )(?:like|as) (?:the )?(?:[\\w-]+ ){0,2}(?:sign-?in|log-?in|official|notice)\\b`,
    'gmu',
  ),
  new RegExp(
    `\\bmake it (?:appear|look)(?: as (?:if|though))?(?: that)?(?: [\\w-]+){0,6} (?:came|comes|raised|sent|written|issued|approved|signed|reviewed) (?:by|from)\\b`,
    'gmu',
  ),
];

const PATTERNS: Readonly<Record<Intent, readonly RegExp[]>> = {
  conceal: CONCEAL,
  override: OVERRIDE,
  'disable-safety': DISABLE,
  impersonate: IMPERSONATE,
};

/** Longer programs and data files are not read for sentences. */
const SMALL = 100_000;

/** Patterns of the orders of an intent that apply to a file, for its lower-case text. */
export function ordersTo(intent: Intent, { kind, low }: TextFile): readonly RegExp[] {
  return kind === 'prose' || low.length <= SMALL ? PATTERNS[intent] : [];
}
