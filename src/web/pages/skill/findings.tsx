/** The findings of validation and of the scan. */
import { count } from '../../../core/text.ts';
import { Badge, Link, SectionHead, Sign, type Html } from '../../html.tsx';
import type { Here } from '../../here.ts';
import type { Details } from './shown.ts';

type Scanned = NonNullable<Details['scan']>;

export function Findings({ diagnostics, here }: { diagnostics: Details['diagnostics']; here: Here }): Html | null {
  if (diagnostics.length === 0) return null;
  return (
    <section aria-labelledby="findings">
      <SectionHead id="findings" title="Findings" note={count(diagnostics.length, 'finding')} />
      <ul class="card todo lines">
        {diagnostics.map(({ severity, message, path: file, ...rest }) => (
          <Finding {...rest} isBad={severity === 'error'} said={message} file={file} here={here} />
        ))}
      </ul>
    </section>
  );
}

interface FindingProps {
  isBad: boolean;
  /** Severity according to the scan. */
  level?: string | undefined;
  said: string;
  code: string;
  fix: string;
  file: string;
  line?: number | undefined;
  evidence?: string | undefined;
  here: Here;
}

function Finding({ isBad, level, said, code, fix, file, line, evidence, here }: FindingProps): Html {
  return (
    <li>
      <Sign of={isBad ? 'bad' : 'warn'} />
      <div>
        <b>{here.say(said)}</b> {level === undefined ? null : <Badge>{level}</Badge>} <code class="tiny">{code}</code>
        {evidence === undefined ? null : <pre class="evidence">{evidence}</pre>}
        <p class="why">
          {here.place(file)}
          {line === undefined ? '' : `:${line}`}. {here.say(fix)}
        </p>
      </div>
    </li>
  );
}

export function ScanBadge({ scan }: { scan: Scanned | undefined }): Html | null {
  if (!scan) return null;
  if (scan.findings.length > 0)
    return (
      <Link class="b bad" to="#scan">
        {count(scan.findings.length, 'scan finding')}
      </Link>
    );
  return <Badge tone="line">{scan.partial ? 'scanned in part, nothing found' : 'scanned, nothing found'}</Badge>;
}

/** More would bury the rest of the page. The command lists all of them. */
const SCAN_SHOWN = 30;

export function Scan({ scan, here }: { scan: Scanned | undefined; here: Here }): Html | null {
  if (!scan || scan.findings.length === 0) return null;
  return (
    <section aria-labelledby="scan">
      <SectionHead id="scan" title="Scan" note={count(scan.findings.length, 'finding')} />
      <ul class="card todo lines">
        {scan.findings.slice(0, SCAN_SHOWN).map(({ level, message, path: file, ...rest }) => (
          <Finding
            {...rest}
            isBad={level === 'critical' || level === 'high'}
            level={level}
            said={message}
            file={file}
            here={here}
          />
        ))}
      </ul>
    </section>
  );
}
