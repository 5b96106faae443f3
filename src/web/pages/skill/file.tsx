/** One file of a skill. Files that are not text can only be downloaded. */
import { grouped } from '../../../core/text.ts';
import { skillFile } from '../../../operations/skill-file.ts';
import { skillAddress, skillFileAddress } from '../../address.ts';
import { Badge, CopyNote, Link } from '../../html.tsx';
import { definePage } from '../../page.ts';
import { size } from '../../words.ts';

export const skillFilePage = definePage({
  path: '/skills/:name/file',
  section: 'skills',
  twin: {
    path: '/api/skill-file',
    operation: skillFile,
    input: ({ name, copy, path = 'SKILL.md', offset, limit, download }) => ({
      name,
      copy,
      path,
      offset,
      limit,
      ...(download === undefined ? {} : { whole: true }),
    }),
  },
  show: (output, { values }) => {
    const { name = '', copy } = values;
    const { path: file = '', size: bytes = 0, sha256 = '', mimeType = '', text, nextOffset, offset = 0 } = output;
    if (values['download'] !== undefined) {
      const base = file.slice(file.lastIndexOf('/') + 1);
      return { name: base, bytes: Buffer.from(output.blob ?? '', 'base64') };
    }
    const ofCopy = (more: Record<string, string>): string =>
      `${skillFileAddress(name, file, copy)}&${new URLSearchParams(more).toString()}`;
    return {
      title: `${file} of ${output.name}`,
      main: (
        <>
          <p class="crumb">
            <Link to="/skills">Skills</Link> / <Link to={skillAddress(name, copy)}>{output.fullName}</Link>
          </p>
          <h1>{file}</h1>
          <CopyNote isMissing={output.copyMissing} copy={copy} />
          <p class="chips">
            <Badge tone="line">{size(bytes)}</Badge>
            <Badge tone="line">{mimeType}</Badge>
            <Badge tone="line">sha256 {sha256.slice(0, 16)}…</Badge>
            <Link class="b acc" to={ofCopy({ download: '1' })}>
              Download
            </Link>
          </p>
          {text === undefined ? (
            <p class="card pad">This file is not text, so it is not shown.</p>
          ) : (
            <pre class="source card pad" tabindex={0}>
              {text}
            </pre>
          )}
          <p>
            {nextOffset === undefined ? null : (
              <Link to={ofCopy({ offset: String(nextOffset) })}>Continue from character {grouped(nextOffset)}</Link>
            )}
            {offset > 0 ? <Link to={ofCopy({})}>From the beginning</Link> : null}
          </p>
        </>
      ),
    };
  },
});
