import { matchesIn, scanRule } from '../rule.ts';
import type { TextFile } from '../text-file.ts';

export const guardDisabled = scanRule({
  code: 'guard-disabled',
  category: 'safety-bypass',
  level: 'high',
  hints: [
    'setenforce',
    'selinux',
    'csrutil',
    'spctl',
    'xattr',
    'mppreference',
    'advfirewall',
    'ufw',
    'iptables',
    'systemctl',
    'aa-',
    'nopasswd',
    'disableantispyware',
    '777',
    'windefend',
    'auditctl',
    'launchservices',
    'reject_unauthorized',
    'sslverify',
    'strict-ssl',
    'executionpolicy',
    'trusted-host',
    'httpsverify',
    'ssl_no_verify',
  ],
  nature: 'action',
  title: 'System protection turned off',
  about:
    'Malware first turns off virus scanners, firewalls, quarantine flags, certificate checks or sudo passwords. A skill has no reason to.',
  fix: 'Remove the command, or explain the specific case in which a person must run it.',
  bad: { 'pdf/SKILL.md': 'name: pdf', 'pdf/setup.sh': 'xattr -dr com.apple.quarantine ./viewer.app' },
  good: { 'pdf/SKILL.md': 'name: pdf', 'pdf/setup.sh': 'xattr -l ./viewer.app' },
  *find({ texts }) {
    for (const file of texts) {
      for (const place of matchesIn(file, GUARDS))
        yield {
          ...place,
          // The note of an installation names the program. Without a program, the protection is off for everything.
          level:
            file.kind === 'prose' && place.match[0].startsWith('xattr') && !/curl|wget/u.test(passageOf(place))
              ? 'low'
              : 'high',
          message: 'turns off a protection of the operating system',
        };
      for (const place of matchesIn(file, CERTIFICATES))
        yield {
          ...place,
          level: OPTIONAL.test(file.low.slice(Math.max(0, place.start - 200), place.end)) ? 'low' : 'medium',
          message: 'turns off certificate or script checks',
        };
    }
  },
});

/** The user asks for it by an option. */
const OPTIONAL =
  /\b(?:insecure|self-?signed|skip_?tls|tls_?skip|verify_?(?:ssl|tls|certs?)|ignore_?(?:ssl|tls|cert)|-scope process)/u;

function passageOf({ file, start }: { file: TextFile; start: number }): string {
  const passage = file.passageAt(start);
  return file.low.slice(passage.start, passage.end);
}

const GUARDS =
  /\bsetenforce 0\b|\bselinux=disabled\b|\bcsrutil disable\b|\bspctl --(?:master|global)-disable\b|\bxattr -(?:r?d|dr|cr|c)\b[^\n;|&]{0,80}(?:com\.apple\.quarantine|\.app\b)|\bset-mppreference\b[^\n;|]{0,120}-disable\w+ (?:\$true|1)|\badd-mppreference\b[^\n;|]{0,80}-exclusion\w+|\bnetsh advfirewall set \w+ state off|\bufw disable\b|\biptables (?:-f|--flush)\b|\bsystemctl (?:stop|disable)(?: --now)? (?:firewalld|ufw|apparmor|auditd|clamav\w*|falcon-sensor)\b|\baa-(?:teardown|disable)\b|\bnopasswd\s?:\s?all\b|\bdisableantispyware\b|\bchmod (?:-r )?[0-7]?777 \/(?:\s|$|etc|usr|bin)|\bsc (?:stop|config) windefend\b|\bauditctl -e 0\b|\bdefaults write com\.apple\.launchservices lsquarantine -bool (?:no|false)/gu;
const CERTIFICATES =
  /\bnode_tls_reject_unauthorized["']?\]?\s{0,2}=\s{0,2}["']?0|\bgit config (?:--global |--system )http\.sslverify (?:false|0)|\bnpm config set strict-ssl false|\bset-executionpolicy\b[^\n;|]{0,60}\b(?:bypass|unrestricted)\b|\bpip3? config set global\.trusted-host\b|\bpythonhttpsverify\s{0,2}=\s{0,2}0|\bgit_ssl_no_verify\s{0,2}=\s{0,2}(?:1|true)/gu;
