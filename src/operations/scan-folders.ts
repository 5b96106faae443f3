/** Scans skill folders for the operations that show findings. */
import path from 'node:path';
import { breather } from '../core/breathe.ts';
import type { Diagnostic, Level } from '../core/diagnostics.ts';
import type { Capabilities } from '../scan/capabilities.ts';
import type { SkillFolder } from '../workspace/skill-files.ts';

export interface FolderScan {
  /** Findings with the ID of their skill and absolute paths. Within a skill, the most dangerous come first. */
  findings: { item: string; diagnostic: Diagnostic }[];
  skills: number;
  files: number;
  bytes: number;
  notScanned: { file: string; reason: string }[];
  /** Collected on request. */
  capabilities: ({ item: string } & Capabilities)[];
}

export async function scanFolders(folders: readonly SkillFolder[], withCapabilities = false): Promise<FolderScan> {
  const { scanSkill } = await import('../scan/scan.ts');
  const { capabilitiesOf } = await import('../scan/capabilities.ts');
  const breathe = breather();
  const all: FolderScan = { findings: [], skills: 0, files: 0, bytes: 0, notScanned: [], capabilities: [] };
  for (const { id, dir, files } of folders) {
    const pause = breathe();
    if (pause) await pause;
    const read = await files();
    const scan = scanSkill(read);
    if (withCapabilities) all.capabilities.push({ item: id, ...capabilitiesOf(read) });
    all.skills += 1;
    all.files += scan.files;
    all.bytes += scan.bytes;
    for (const diagnostic of scan.findings)
      all.findings.push({ item: id, diagnostic: { ...diagnostic, path: path.join(dir, diagnostic.path) } });
    for (const { path: below, reason } of scan.notScanned) all.notScanned.push({ file: path.join(dir, below), reason });
  }
  return all;
}

const WORST_FIRST = ['critical', 'high', 'medium', 'low', 'info'] as const satisfies readonly Level[];

/** Returns text such as `1 critical, 2 high`, or an empty string without findings. */
export function levelCounts(levels: readonly (Level | undefined)[]): string {
  return WORST_FIRST.flatMap((level) => {
    const found = levels.filter((each) => each === level).length;
    return found > 0 ? [`${found} ${level}`] : [];
  }).join(', ');
}
