/** The side column of a skill: commands, source, description, files and frontmatter. */
import { grouped } from '../../../core/text.ts';
import { ago } from '../../ago.ts';
import { skillFileAddress, sourceAddress } from '../../address.ts';
import type { SourceFacts } from '../../catalog/list-sources.ts';
import { Command, Link, type Html } from '../../html.tsx';
import { Ruler } from '../../plots/ruler.tsx';
import { size } from '../../words.ts';
import { By } from '../source-parts.tsx';
import type { Shown } from './shown.ts';

export function Side(shown: Shown): Html {
  const { description, descriptionLimits: marks = [] } = shown.details;
  const { length } = [...description];
  return (
    <aside class="side">
      <Use {...shown} />
      {shown.source ? <PublishedWith source={shown.source} /> : null}
      <section class="card pad">
        <h2 class="h3">Description</h2>
        <p class="small dim">
          {grouped(length)} characters{marks.length === 0 ? '' : '; agents cut longer ones here:'}
        </p>
        {marks.length === 0 ? null : <Ruler length={length} marks={marks} />}
      </section>
      <Files {...shown} />
      <Frontmatter {...shown} />
    </aside>
  );
}

function Use({ details: { name, fullName }, source, here }: Shown): Html {
  return (
    <section class="card pad">
      <h2 class="h3">Use it</h2>
      {source ? (
        <>
          <p>
            <Command run={fullName} here={here} />
          </p>
          <p class="tiny dim">the name that always identifies this copy</p>
        </>
      ) : (
        <>
          <p>
            <Command run={`/${name}`} here={here} />
          </p>
          <p class="tiny dim">in an agent that lists it</p>
          <p>
            <Command run={`lectern show ${fullName} --full`} here={here} />
          </p>
          <p>
            <Command run={`lectern why ${name}`} here={here} />
          </p>
        </>
      )}
    </section>
  );
}

function PublishedWith({ source: { source, version, published } }: { source: SourceFacts }): Html {
  return (
    <section class="card pad">
      <h2 class="h3">Published with</h2>
      <p>
        <Link to={sourceAddress(source)}>{source}</Link>, version {version}
      </p>
      {published === undefined ? null : (
        <p class="small dim">
          <By of={published} />
        </p>
      )}
    </section>
  );
}

const FILES_SHOWN = 50;

function Files({ details: { fullName, files, filesCut }, copy }: Shown): Html {
  return (
    <section class="card pad">
      <h2 class="h3">Files</h2>
      <ul class="files lines">
        {files.slice(0, FILES_SHOWN).map((file) => (
          <li>
            <Link to={skillFileAddress(fullName, file.path, copy)}>{file.path}</Link>
            <span class="num">{size(file.bytes)}</span>
          </li>
        ))}
      </ul>
      {files.length > FILES_SHOWN || filesCut ? (
        <p class="small dim">and {grouped(files.length - FILES_SHOWN)} more</p>
      ) : null}
    </section>
  );
}

function Frontmatter({ details: { frontmatter, path: dir, modified }, here }: Shown): Html {
  const fields = Object.entries(frontmatter).filter(([key]) => key !== 'description');
  return (
    <section class="card pad">
      <h2 class="h3">Frontmatter</h2>
      <dl class="facts">
        {fields.map(([key, value]) => (
          <>
            <dt>{key}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </>
        ))}
        <dt>in</dt>
        <dd class="path">{here.place(dir)}</dd>
        {modified === undefined ? null : (
          <>
            <dt>changed</dt>
            <dd>{ago(Date.parse(modified))}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
