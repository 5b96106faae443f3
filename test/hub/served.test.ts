import { expect, test } from 'vitest';
import { askShared } from '../support/shared-mcp.ts';
import { sharedCatalog } from '../support/shared.ts';
import { skillText } from '../support/skill-text.ts';

const catalog = () =>
  sharedCatalog({ 'a/one': { files: { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }), 'skills/pdf/x.py': '1' } } });

test('a shared skill notes that its files are not on this machine and that skill_file reads them', async () => {
  const ask = askShared(await catalog());
  const { result } = await ask(['a'], 'tools/call', { name: 'skill', arguments: { name: 'pdf' } });
  expect(result.content[0].text).toMatch(
    /^source: a\/one \(shared; its files are not on this machine, skill_file reads them\)$/mu,
  );
  expect(result._meta['lectern/facts']).toMatchObject({ source: 'a/one' });
});

test('a replica reveals nothing about agents on its machine', async () => {
  const ask = askShared(await catalog());
  const { result } = await ask(['a'], 'resources/templates/list');
  for (const scheme of ['agent', 'context']) {
    const template = `${scheme}://{agent}`;
    expect(result.resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).not.toContain(
      template,
    );
    const uri = `${scheme}://claude`;
    expect(await ask(['a'], 'resources/read', { uri })).toMatchObject({ error: { code: -32602 } });
    const complete = { ref: { type: 'ref/resource', uri: template }, argument: { name: 'agent', value: '' } };
    expect((await ask(['a'], 'completion/complete', complete)).result.completion.values).toEqual([]);
  }
});

test('the description shows the form of full names in a shared catalog', async () => {
  const { result } = await askShared(await catalog())(['a'], 'tools/list');
  expect(result.tools[0].description).toContain('(`pdf`, `team/source:pdf`, any case)');
});

test('a replica calls itself a shared catalog, and cannot announce changes', async () => {
  const { result } = await askShared(await catalog())(['a'], 'server/discover');
  expect(result._meta['io.modelcontextprotocol/serverInfo'].description).toContain('shared catalog');
  expect(result.capabilities).toMatchObject({
    tools: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    prompts: { listChanged: false },
  });
});

test('the validation tools state that they check published files, not edited ones', async () => {
  const files = { 'openspec/specs/auth/spec.md': '# Auth\n' };
  const ask = askShared(await sharedCatalog({ 'a/one': { files } }));
  const [discovered, { result }] = await Promise.all([ask(['a'], 'server/discover'), ask(['a'], 'tools/list')]);
  expect(discovered.result.instructions).toMatch(/get_change\.$/u);
  const described = new Map<string, string>(
    result.tools.map(({ name, description }: { name: string; description: string }) => [name, description]),
  );
  for (const name of ['validate_spec', 'validate_change'])
    expect(described.get(name)).toMatch(/ It validates published versions, not files that you edit\.$/u);
});

test('resources of a shared catalog have no modification time, because it is unknown', async () => {
  const spec = '# Auth\n\n## Purpose\nWho may come in.\n\n## Requirements\n\n### Requirement: R\nIt SHALL.\n';
  const files = { 'skills/pdf/SKILL.md': skillText({ name: 'pdf' }), 'openspec/specs/auth/spec.md': spec };
  const { result } = await askShared(await sharedCatalog({ 'a/one': { files } }))(['a'], 'resources/list');
  expect(result.resources.map(({ name }: { name: string }) => name)).toEqual(['pdf', 'auth']);
  for (const { annotations } of result.resources) expect(annotations).toEqual({ audience: ['assistant'] });
});
