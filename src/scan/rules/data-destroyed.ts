import { matchesIn, scanRule } from '../rule.ts';

export const dataDestroyed = scanRule({
  code: 'data-destroyed',
  category: 'destructive',
  level: 'high',
  hints: [
    'rm ',
    'rm\t',
    '--no-preserve',
    'find ',
    'rmtree',
    'rmsync',
    'homedir',
    'remove-item',
    'del ',
    'erase',
    'rd ',
    'rmdir',
    'mkfs',
    'dd ',
    '/dev/',
    'wipefs',
    'shred',
    'format ',
    'diskutil',
    'vssadmin',
    'wbadmin',
    'tmutil',
    ':()',
    'cipher',
    'clear-disk',
    'history',
    'histfile',
    'wevtutil',
    'eventlog',
    'journalctl',
    'aws',
    'terraform',
    'kubectl',
    'gcloud',
    'dropdb',
    'gh repo',
    '--mirror',
  ],
  nature: 'action',
  title: 'Files, disks or logs deleted',
  about:
    'Deleting an entire home folder or system, formatting a disk, deleting backups and wiping the history cannot be undone. Deleting a specific folder of the project is fine.',
  fix: 'Remove the command, or list the exact files to delete and ask the user to confirm.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/clean.sh': 'rm -rf ~/' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/clean.sh': 'rm -rf ./build' },
  *find({ texts }) {
    for (const file of texts) {
      for (const place of matchesIn(file, DELETES))
        yield { ...place, level: 'high', message: 'deletes far more than a task needs' };
      for (const place of matchesIn(file, FORMATS))
        yield { ...place, level: 'high', message: 'overwrites or formats a disk, or deletes backups' };
      for (const place of matchesIn(file, TRACES))
        yield { ...place, level: 'medium', message: 'deletes logs or history' };
      for (const place of matchesIn(file, SERVICES))
        yield { ...place, level: 'medium', message: 'deletes everything in a service without confirmation' };
    }
  },
});

const DELETES =
  /\brm\s+(?:-{1,2}[\w-]{1,20}\s+){0,4}-(?:\w{0,4}r\w{0,4})\s+(?:-{1,2}[\w-]{1,20}\s+){0,4}["']?(?:\/(?:\*|\s|$|["';&|)])|\/(?:etc|usr|bin|boot|home|root|var|lib|users|system|applications|library)\/?\*?(?:\s|$|["';&|)])|~\/?\*?(?:\s|$|["';&|)])|~\/(?:documents|desktop|downloads|pictures|\*)|\$\{?home\}?["']?\/?\*?(?:\s|$|["';&|)])|\*\s*(?:$|[;&|]))|--no-preserve-root|\bfind\s+(?:\/|~|\$home)\s[^\n]{0,80}-(?:delete|exec\s+(?:rm|shred))|\bshutil\.rmtree\(\s{0,3}(?:["'](?:\/|~\/?)["']|path\.home\(\)|os\.path\.expanduser\(["']~\/?["']\)|os\.environ\[["']home)|\brm(?:sync)?\(\s{0,3}(?:require\([^)\n]{1,14}\)\.|os\.)?homedir\(\)|\bremove-item\b[^\n;|]{0,80}?(?:c:\\(?:\*|\s|["']|$)|\$env:userprofile(?:\s|\\\*|["']|$)|\$home(?:\s|\\\*|$))|\b(?:del|erase)\s+(?:\/\w\s+){1,4}["']?(?:c:\\|%userprofile%)(?:\*|\s|$|["'])|\b(?:rd|rmdir)\s+(?:\/\w\s+){1,3}["']?(?:c:\\|%userprofile%)["']?(?:\s|$)/gmu;
const FORMATS =
  /\bmkfs(?:\.\w{2,8})?\s+(?:-\w{1,4}\s+){0,4}\/dev\/|\bdd\s[^\n]{0,120}?\bof=\/dev\/(?:sd|nvme|hd|disk|mmcblk|vd)|>\s{0,2}\/dev\/(?:sd[a-z]|nvme\d|disk\d|hda)|\bwipefs\s+(?:-\w{1,4}\s+){0,3}\/dev\/|\bshred\s[^\n]{0,60}\/dev\/|\bformat\s+[a-z]:(?:\s|$)|\bdiskutil\s+(?:erase\w{1,12}|secureerase)\b|\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin\s+delete\b|\btmutil\s+delete\w{0,20}\b|:\(\)\s{0,2}\{\s{0,2}:\s{0,2}\|\s{0,2}:\s{0,2}&\s{0,2}\}\s{0,2};\s{0,2}:|\bcipher\s+\/w:|\bclear-disk\b/gu;
const TRACES =
  /\bhistory\s+-c\b|\bunset\s+histfile\b|\brm\s+(?:-\w{1,4}\s+){0,2}~?\/?[\w./]{0,40}\.(?:bash|zsh)_history|>\s{0,2}~?\/[\w./]{0,40}\.(?:bash|zsh)_history|\bwevtutil\s+cl\b|\bclear-eventlog\b|\bjournalctl\s+--vacuum-(?:time|size)=[01]\w?\b|\bshred\s+(?:-\w{1,4}\s+){0,3}[^\n]{0,40}(?:\/var\/log|\$0|history)|\brm\s+(?:-\w{1,4}\s+){1,2}\/var\/log\b/gu;
const SERVICES =
  /\baws\s+s3\s+r[mb]\s+s3:\/\/[^\n]{0,120}(?:--recursive|--force)|\bterraform\s+destroy\b[^\n]{0,60}-auto-approve|\bkubectl\s+delete\s+(?:ns|namespaces?|all|pvc?|deploy\w{0,6})\s+(?:--all\b|[^\n]{0,30}--all\b)|\bgcloud\s+projects\s+delete\b[^\n]{0,60}--quiet|\bdropdb\s+--force\b|\bgh\s+repo\s+delete\b[^\n]{0,60}--(?:yes|confirm)|\bgit\s+push\s+[^\n]{0,40}--mirror\s+[^\n]{0,20}--force/gu;
