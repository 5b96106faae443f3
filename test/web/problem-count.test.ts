import { expect, test } from 'vitest';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { ofFolder, serve } from './served.ts';

test('the page shows the number of problems that validate --all lists: in the navigation, on the overview and on the page of problems', async () => {
  using folder = tempFolder({
    'project/.claude/skills/wrong/SKILL.md': skillText({ name: 'right' }),
    'project/.claude/skills/bare/SKILL.md': 'No header.\n',
    'project/openspec/specs/bad/spec.md': '# Bad\n\n## Requirements\n',
    'project/.lectern/config.json': '{ "nonsense": true }',
    'home/.cursor/mcp.json': '{',
  });
  const home = ['--user-dir', folder.at('home')];
  const { errors, warnings } = JSON.parse((await lectern(folder, ['validate', '--all', '--json', ...home])).stdout) as {
    errors: unknown[];
    warnings: unknown[];
  };
  const total = errors.length + warnings.length;
  expect(total).toBeGreaterThan(4);
  const served = await serve(ofFolder(folder));
  try {
    for (const address of ['/', '/problems', '/skills']) {
      const body = await (await fetch(`${served.url}${address}`)).text();
      expect([address, /Problems <span class="n hot">(\d+)</u.exec(body)?.[1]]).toEqual([address, String(total)]);
      if (address !== '/skills') expect(body).toContain(`${total} problems`);
    }
  } finally {
    await served.stop();
  }
});
