/**
 * How well the rules judge single sentences: `npm run bench:scan-sentences`. Prints the share of hostile sentences that are found and of
 * harmless ones that raise an alarm, by intent. `--split tune` also prints the sentences that are judged wrongly; those of `report`
 * are only counted.
 */
import { parseArgs } from 'node:util';
import { rankOf, scanSkill } from '../src/scan/scan.ts';
import { INTENTS, readSentences } from './scan/kit.ts';

const { values } = parseArgs({ options: { split: { type: 'string', default: 'report' } } });
const isAlarm = (text: string): boolean =>
  scanSkill([
    { path: 'SKILL.md', bytes: Buffer.from(`---\nname: one\ndescription: Does one thing.\n---\n\n${text}\n`) },
  ]).findings.some((finding) => rankOf(finding) >= 2);

const sentences = readSentences().filter(({ split }) => split === values.split);
for (const intent of INTENTS) {
  const [hostile, honest] = [true, false].map((kind) =>
    sentences.filter((sentence) => sentence.intent === intent && sentence.hostile === kind),
  );
  const found = (hostile ?? []).filter(({ text }) => isAlarm(text));
  const alarms = (honest ?? []).filter(({ text }) => isAlarm(text));
  console.log(
    `${intent.padEnd(16)} found ${found.length} of ${hostile?.length}, alarms ${alarms.length} of ${honest?.length}`,
  );
  if (values.split === 'tune') {
    for (const { text } of alarms) console.log(`    alarm: ${text}`);
    for (const { text } of (hostile ?? []).filter((sentence) => !found.includes(sentence)))
      console.log(`    missed: ${text}`);
  }
}
