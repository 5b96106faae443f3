import { DELETES_NAME, usesOf } from '../names.ts';
import { matchesIn, scanRule, sequencesIn } from '../rule.ts';

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
    'delete',
    'wipe',
    'destroy',
    'remove',
    'purge',
    'overwrite',
    'truncate',
    'drop ',
    'flushall',
    'dropdatabase',
    'docker',
    'openssl enc',
    'gpg ',
    'chmod',
    'chattr',
    'kill',
    'git ',
    'az group',
    'heroku',
    'helm ',
    'restic',
    'borg ',
    'zfs ',
    'lvremove',
    'os.walk',
    'glob',
    'readdirsync',
    'scandir',
    'unlink',
    'rimraf',
    'mv ',
    'for ',
    'path.home',
    'expanduser',
    'environ',
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
      for (const place of usesOf(file, HOME, DELETES_NAME))
        yield { ...place, level: 'high', message: 'deletes far more than a task needs' };
      for (const { matches: _, ...place } of sequencesIn(file, [WALKS, REMOVES], 200))
        yield { ...place, level: 'high', message: 'deletes files in a whole home folder or system' };
      for (const place of matchesIn(file, EVERYTHING))
        yield { ...place, level: 'high', message: 'deletes or encrypts everything it finds' };
      for (const place of matchesIn(file, HISTORY_LOST))
        yield {
          ...place,
          level: file.kind === 'code' ? 'high' : 'medium',
          message: 'deletes the history, the branches or the backups of a repository',
        };
      for (const place of matchesIn(file, ORDERED))
        yield { ...place, level: 'high', message: 'orders the agent to delete more than a task needs' };
      for (const place of matchesIn(file, FORMATS))
        yield { ...place, level: 'high', message: 'overwrites or formats a disk, or deletes backups' };
      for (const place of matchesIn(file, TRACES))
        yield { ...place, level: 'medium', message: 'deletes logs or history' };
      for (const place of matchesIn(file, SERVICES))
        yield {
          ...place,
          level: file.kind === 'code' ? 'high' : 'medium',
          message: 'deletes everything in a service without confirmation',
        };
    }
  },
});

const HOME =
  /\bpath\.home\(\)(?=\s{0,2}(?:$|[\n;)]|\/\s?["'](?:documents|desktop|downloads|pictures)))|\bexpanduser\(\s?["']~\/?(?:documents|desktop|downloads|pictures)?["']\s?\)(?!\s?\/)|\bos\.environ(?:\[["']home["']\]|\.get\(["']home["']\))(?!\s?\+)|\bhomedir\(\)(?=\s{0,2}(?:$|[\n;)]))|=\s?["']?(?:\$home|\$\{home\}|~|\/)["']?\s{0,2}$/gmu;
const WALKS =
  /\b(?:os\.walk|glob\.glob|rglob|readdirsync|scandir)\(\s?(?:["'](?:\/|~)|os\.path\.expanduser\(["']~|path\.home\(\)|os\.homedir\(\)|homedir\(\))|\bpath\.home\(\)\.r?glob\(|\bfor \w+ in (?:~|\$home|\/home|\/users)\/\*/gu;
const REMOVES = /\bos\.(?:remove|unlink)\(|\bunlink(?:sync)?\(|\brmtree\(|\brm -\w{0,4}[rf]|\brmsync\(|\.unlink\(/gu;
/** Databases, containers, keys and documents as a whole, and files replaced by encrypted copies. */
const EVERYTHING =
  /\bdrop (?:database|schema) (?!if exists (?:test|tmp|temp)|test|tmp|temp)[\w"`$.{}-]{2,60}(?: cascade)?|\bflushall\b|\.dropdatabase\(\)|\bdocker (?:system|volume) prune\b(?=[^\n]{0,30}-\w{0,3}a)(?=[^\n]{0,40}(?:-f|--force|--volumes))|\bdocker (?:rm|rmi|volume rm)\s(?:-\w{1,3}\s)?\$\(docker [^\n)]{1,40}\)|\bfind\s+(?:\/|~|\$home|["']?\$\{?home)[^\n]{0,120}(?:-delete\b|-exec\s+(?:rm|shred|openssl|gpg)|\|\s?xargs[^\n]{0,20}(?:rm|shred))|\bopenssl enc\b[^\n]{0,200}(?:&&|;)\s?(?:rm|shred)\b|\bgpg (?:-c|--symmetric|--encrypt)\b[^\n]{0,200}(?:&&|;)\s?(?:rm|shred)\b|\bchmod -r 0{1,4}\s|\bchattr\b[^\n]{0,20}-r[^\n]{0,40}\s(?:~|\/|\$home)|\btruncate (?:-s ?0|--size[= ]0)\s[^\n]{0,80}(?:~|\$home|\*|\/var|\/etc)|\bmv\s[^\n]{0,60}(?:~|\$home)\S{0,40}\s+\/dev\/null|\bkill(?:all)? -9 -1\b|\brm\s+-\w{0,4}r\w{0,4}\s+["']?(?:~|\$\{?home\}?)\/(?:\.ssh|\.gnupg|\.aws|\.config|\.claude|documents|desktop|projects|code|src|work|dev|repos|backups?)\b|\brm\s+-\w{0,4}r\w{0,4}\s[^\n;|&]{0,40}(?:\.git["']?(?:\s|$)|backups?\b|snapshots?\b)|\bsudo rm -\w{0,4}r\w{0,4}\s+\/(?!tmp|var\/(?:tmp|cache)|opt\/\w|usr\/local\/\w)/gmu;
const HISTORY_LOST =
  /\bgit push\b[^\n;|&]{0,60}(?:--force(?!-with-lease|-if)|\s-f\b)[^\n;|&]{0,60}(?:--all|--mirror|--tags|\bmain\b|\bmaster\b|\bproduction\b)|\bgit push\b[^\n;|&]{0,40}(?:\bmain\b|\bmaster\b)[^\n;|&]{0,20}(?:--force(?!-with-lease|-if)|\s-f\b)|\bgit branch\b[^\n]{0,80}\|\s?xargs[^\n]{0,30}git branch -d|\bgit reflog expire\b[^\n]{0,60}--expire=now(?:[^\n]{0,10}--all)?[^\n]{0,60}|\bgit update-ref -d head\b|\bgit stash clear\b[^\n]{0,20}(?:&&|;)\s?git (?:clean|reset)|\bgit checkout --orphan\b[^\n]{0,160}push[^\n]{0,40}-f|\bgit filter-(?:branch|repo)\b[^\n]{0,160}(?:&&|;)[^\n]{0,60}push[^\n]{0,40}(?:-f\b|--force)|\b(?:aws (?:rds|ec2|backup) delete-(?:db-snapshot|snapshot|recovery-point|db-instance)\b[^\n]{0,120}(?:--skip-final-snapshot)?|aws s3api delete-(?:bucket|objects)\b|restic forget[^\n]{0,60}--prune[^\n]{0,30}--keep-last 0|borg delete\b[^\n]{0,40}(?:::)?|zfs destroy -r|lvremove -f|az group delete\b[^\n]{0,60}(?:-y|--yes)|gcloud [\w ]{3,30} delete\b[^\n]{0,60}(?:-q\b|--quiet)|heroku apps:destroy\b[^\n]{0,60}--confirm|kubectl delete (?:ns|namespace)s? (?:prod|production|default)\b|helm uninstall \$\(helm list)/gu;
const ORDERED =
  /\b(?:delete|erase|wipe|destroy|remove|purge|overwrite|shred|truncate|drop) (?:all|every|everything|the (?:entire|whole|complete)|any and all) (?:of )?(?:the )?(?:user['’]s |their |your |other |remaining |existing |local )?(?:files?|data|backups?|documents|branches|snapshots|(?:home |user )?(?:director(?:y|ies)|folders?)|home|disk|drive|databases?|repositor(?:y|ies)|records|photos|commits|history|tables|keys|volumes|machine)\b(?! (?:in|from|under|below|of|inside) (?:the )?[`"']?(?:\.\/)?(?:build|dist|tmp|temp|cache|output|out|target|node_modules|test|sandbox|\/tmp))/gu;
const DELETES =
  /\brm\s+(?:-{1,2}[\w-]{1,20}\s+){0,4}-(?:\w{0,4}r\w{0,4})\s+(?:-{1,2}[\w-]{1,20}\s+){0,4}["']?(?:\/(?:\*|\s|$|["';&|)])|\/(?:etc|usr|bin|boot|home|root|var|lib|users|system|applications|library)\/?\*?(?:\s|$|["';&|)])|~\/?\*?(?:\s|$|["';&|)])|~\/(?:documents|desktop|downloads|pictures|\*)|\$\{?home\}?["']?\/?\*?(?:\s|$|["';&|)])|\*\s*(?:$|[;&|]))|--no-preserve-root|\bfind\s+(?:\/|~|\$home)\s[^\n]{0,80}-(?:delete|exec\s+(?:rm|shred))|\bshutil\.rmtree\(\s{0,3}(?:["'](?:\/|~\/?)["']|path\.home\(\)|os\.path\.expanduser\(["']~\/?["']\)|os\.environ\[["']home)|\brm(?:sync)?\(\s{0,3}(?:require\([^)\n]{1,14}\)\.|os\.)?homedir\(\)|\bremove-item\b[^\n;|]{0,80}?(?:c:\\(?:\*|\s|["']|$)|\$env:userprofile(?:\s|\\\*|["']|$)|\$home(?:\s|\\\*|$))|\b(?:del|erase)\s+(?:\/\w\s+){1,4}["']?(?:c:\\|%userprofile%)(?:\*|\s|$|["'])|\b(?:rd|rmdir)\s+(?:\/\w\s+){1,3}["']?(?:c:\\|%userprofile%)["']?(?:\s|$)/gmu;
const FORMATS =
  /\bmkfs(?:\.\w{2,8})?\s+(?:-\w{1,4}\s+){0,4}\/dev\/|\bdd\s[^\n]{0,120}?\bof=\/dev\/(?:sd|nvme|hd|disk|mmcblk|vd)|>\s{0,2}\/dev\/(?:sd[a-z]|nvme\d|disk\d|hda)|\bwipefs\s+(?:-\w{1,4}\s+){0,3}\/dev\/|\bshred\s[^\n]{0,60}\/dev\/|\bformat\s+[a-z]:(?:\s|$)|\bdiskutil\s+(?:erase\w{1,12}|secureerase)\b|\bvssadmin(?:\.exe)?\s+delete\s+shadows|\bwbadmin\s+delete\b|\btmutil\s+delete\w{0,20}\b|:\(\)\s{0,2}\{\s{0,2}:\s{0,2}\|\s{0,2}:\s{0,2}&\s{0,2}\}\s{0,2};\s{0,2}:|\bcipher\s+\/w:|\bclear-disk\b/gu;
const TRACES =
  /\bhistory\s+-c\b|\bunset\s+histfile\b|\brm\s+(?:-\w{1,4}\s+){0,2}~?\/?[\w./]{0,40}\.(?:bash|zsh)_history|>\s{0,2}~?\/[\w./]{0,40}\.(?:bash|zsh)_history|\bwevtutil\s+cl\b|\bclear-eventlog\b|\bjournalctl\s+--vacuum-(?:time|size)=[01]\w?\b|\bshred\s+(?:-\w{1,4}\s+){0,3}[^\n]{0,40}(?:\/var\/log|\$0|history)|\brm\s+(?:-\w{1,4}\s+){1,2}\/var\/log\b/gu;
const SERVICES =
  /\baws\s+s3\s+r[mb]\s+s3:\/\/[^\n]{0,120}(?:--recursive|--force)|\bterraform\s+destroy\b[^\n]{0,60}-auto-approve|\bkubectl\s+delete\s+(?:ns|namespaces?|all|pvc?|deploy\w{0,6})\s+(?:--all\b|[^\n]{0,30}--all\b)|\bgcloud\s+projects\s+delete\b[^\n]{0,60}--quiet|\bdropdb\s+--force\b|\bgh\s+repo\s+delete\b[^\n]{0,60}--(?:yes|confirm)|\bgit\s+push\s+[^\n]{0,40}--mirror\s+[^\n]{0,20}--force/gu;
