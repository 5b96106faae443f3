import { expect, test } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { BROWSER, ofFolder, send, serve } from './served.ts';

test('the whole text of a skill is shown, however its frontmatter is closed', async () => {
  const body = '\nThe first part.\n\n---\n\nThe second part.\n\n---\n\nThe third part.\n';
  using folder = tempFolder({
    'project/.claude/skills/dots/SKILL.md': `---\nname: dots\ndescription: Ends with dots\n...\n${body}`,
    'project/.claude/skills/late/SKILL.md': `\n\n---\nname: late\ndescription: Begins late\n---\n${body}`,
    'project/.claude/skills/indented/SKILL.md': ` ---\nname: indented\ndescription: Has an indent\n ---\n${body}`,
    'project/.claude/skills/windows/SKILL.md': `\ufeff---\nname: windows\ndescription: CRLF\n---\n${body}`.replaceAll(
      '\n',
      '\r\n',
    ),
  });
  const served = await serve(ofFolder(folder));
  try {
    for (const name of ['dots', 'late', 'indented', 'windows']) {
      const { status, body: page } = await send(served, `/skills/claude:${name}`, { headers: BROWSER });
      expect.soft([name, status]).toEqual([name, 200]);
      for (const part of ['The first part.', 'The second part.', 'The third part.'])
        expect.soft(page, name).toContain(part);
      expect.soft(page, name).not.toContain(`<p>name: ${name}`);
    }
  } finally {
    await served.stop();
  }
});
