import { describe, expect, test } from 'vitest';
import { groupClauses } from '../../src/specs/clauses.ts';
import { clausesOf, describeRequirement, parseSpec, parseSummary } from '../../src/specs/parse-spec.ts';
import { fc, times } from '../support/effort.ts';

/** Every scenario of a text, as a reader gets it. */
function scenariosOf(text: string) {
  const spec = parseSpec(text);
  return spec.requirements.flatMap((requirement) =>
    requirement.scenarios.map((scenario) => ({
      requirement: requirement.name,
      name: scenario.name,
      ...groupClauses(clausesOf(spec, scenario).clauses),
    })),
  );
}

function bodyOf(body: string) {
  const [scenario] = scenariosOf(
    `## Requirements\n### Requirement: R\nThe system SHALL r.\n#### Scenario: S\n${body}\n`,
  );
  return (
    scenario && { given: scenario.given, when: scenario.when, when_clauses: scenario.when_clauses, then: scenario.then }
  );
}

describe('clauses', () => {
  const plain = { given: [], when: 'the user asks', when_clauses: ['the user asks'], then: ['it answers'] };

  test.each([
    ['bold with bullets', '- **WHEN** the user asks\n- **THEN** it answers'],
    ['bold without bullets', '**WHEN** the user asks\n**THEN** it answers'],
    ['bold with the colon inside', '- **When:** the user asks\n- **Then:** it answers'],
    ['bold with the colon outside', '* **WHEN**: the user asks\n* **THEN**: it answers'],
    ['bare with bullets', '- WHEN the user asks\n- THEN it answers'],
    ['bare without bullets', 'When the user asks\nThen it answers'],
    ['bare and lower case', 'when the user asks\nthen it answers'],
    ['bare with a colon', '- When: the user asks\n- Then: it answers'],
    ['mixed case and bullets', '+ **wHeN** the user asks\n1. THEN it answers'],
    ['italic and underscores', '- *WHEN* the user asks\n- __THEN__ it answers'],
    ['back-ticks', '- `WHEN` the user asks\n- `THEN` it answers'],
    ['blank lines between', '\n- **WHEN** the user asks\n\n\n- **THEN** it answers\n'],
    ['tabs and trailing blanks', '-\t**WHEN** the user asks  \n-\t**THEN** it answers\t'],
    ['both on one line', '1. **Given** , **When** the user asks, **Then** it answers'],
  ])('%s', (_, body) => {
    const read = bodyOf(body);
    expect({ ...read, given: [] }).toEqual(plain);
  });

  test('GIVEN and the ANDs before THEN stay with the clause before them', () => {
    expect(
      bodyOf('- **GIVEN** a\n- **AND** b\n- **WHEN** c\n- **AND** d\n- **THEN** e\n- **AND** f\n- **BUT** g'),
    ).toEqual({
      given: ['a', 'b'],
      when: 'c AND d',
      when_clauses: ['c', 'd'],
      then: ['e', 'f', 'g'],
    });
  });

  test('nested bullets, continuation lines, tables and fences are kept', () => {
    const read = bodyOf(
      '- **WHEN** the user\n  asks\n- **THEN** the answer has\n  - a name\n    - and a line\n  - a date\n\n  ```json\n  { "WHEN": 1 }\n  ```',
    );
    expect(read).toEqual({
      given: [],
      when: 'the user asks',
      when_clauses: ['the user asks'],
      then: ['the answer has\n  - a name\n    - and a line\n  - a date\n  ```json\n  { "WHEN": 1 }\n  ```'],
    });
  });

  test('a wrapped line that begins with a keyword is not a clause, one in capitals is', () => {
    expect(bodyOf('- **WHEN** a\n- **THEN** the token ends\n  when the session ends')?.then).toEqual([
      'the token ends when the session ends',
    ]);
    expect(bodyOf('- **WHEN** a\n- **THEN** b\n  AND c')?.then).toEqual(['b', 'c']);
  });

  test.each([
    ['Chinese, bold', '- **假设** 用户存在\n- **当** 用户登录\n- **那么** 返回令牌\n- **并且** 记录日志'],
    ['Chinese, bare', '- 假设 用户存在\n- 当用户登录\n- 则返回令牌\n- 并且记录日志'],
    ['Chinese with full-width colons', '- 前提：用户存在\n- 当：用户登录\n- 那么：返回令牌\n- 并且：记录日志'],
  ])('%s', (_, body) => {
    const read = bodyOf(body);
    expect(read).toEqual({
      given: ['用户存在'],
      when: '用户登录',
      when_clauses: ['用户登录'],
      then: ['返回令牌', '记录日志'],
    });
  });

  test('a Chinese word that only begins like a keyword is text', () => {
    expect(bodyOf('- **当** a\n- **则** b\n- 当前用户不变')?.when_clauses).toEqual(['a']);
  });

  test('Spanish', () => {
    expect(bodyOf('- **DADO** un usuario\n- **CUANDO** entra\n- **ENTONCES** ve la lista\n- **Y** el saldo')).toEqual({
      given: ['un usuario'],
      when: 'entra',
      when_clauses: ['entra'],
      then: ['ve la lista', 'el saldo'],
    });
  });
});

describe('the parts of a spec', () => {
  test('title, purpose and description', () => {
    const spec = parseSpec(
      '# Capability: Login\n\n## Purpose\nLet people in.\n\n## Requirements\n\n### Requirement: Password ###\nIt SHALL check.\n\nTwice.\n#### Scenario: ok\n- WHEN a\n- THEN b\n',
    );
    const [requirement] = spec.requirements;
    expect([
      spec.title,
      spec.purpose,
      requirement?.name,
      requirement && describeRequirement(spec, requirement),
    ]).toEqual(['Login', 'Let people in.', 'Password', 'It SHALL check.\n\nTwice.']);
  });

  test.each([
    ['no title and no Purpose', '## Requirements\n### Requirement: A\nx\n#### Scenario: S\ny\n', ['A/S']],
    ['no Requirements section', '# T\n### Requirement: A\nx\n#### Scenario: S\ny\n', ['A/S']],
    [
      'Chinese headings',
      '# 登录\n## 目的\nx\n## 需求\n### 需求：登录\n必须。\n#### 场景：成功\n- 当 a\n',
      ['登录/成功'],
    ],
    [
      'Spanish headings',
      '# T\n## Propósito\nx\n## Requisitos\n### Requisito: Entrar\nDEBE.\n#### Escenario: bien\n- x\n',
      ['Entrar/bien'],
    ],
    [
      'unlabeled headings',
      '## Requirements\n### FR-1 Login\nx\n#### It works\ny\n##### detail\nz\n',
      ['FR-1 Login/It works'],
    ],
    [
      'scenario at the level of its requirement',
      '## Requirements\n### Requirement: A\nx\n### Scenario: S\ny\n',
      ['A/S'],
    ],
    ['scenario deeper than usual', '## Requirements\n### Requirement: A\nx\n##### Scenario: S\ny\n', ['A/S']],
    ['groups of requirements', '## Requirements\n### Area\n#### Requirement: A\nx\n##### Scenario: S\ny\n', ['A/S']],
    ['a delta dump', '## ADDED Requirements\n### Requirement: A\nx\n#### Scenario: S\ny\n', ['A/S']],
    ['CRLF', '## Requirements\r\n### Requirement: A\r\nx\r\n#### Scenario: S\r\ny\r\n', ['A/S']],
    ['a lone carriage return', '## Requirements\r### Requirement: A\rx\r#### Scenario: S\ry\r', ['A/S']],
    ['byte order mark', '\uFEFF## Requirements\n### Requirement: A\nx\n#### Scenario: S\ny\n', ['A/S']],
    [
      'headings in fences',
      '## Requirements\n### Requirement: A\n```md\n### Requirement: B\n#### Scenario: T\n```\n#### Scenario: S\n~~~~\n#### Scenario: U\n~~~\n~~~~\ny\n',
      ['A/S'],
    ],
    [
      'a scenario without a body',
      '## Requirements\n### Requirement: A\nx\n#### Scenario: S\n\n#### Scenario: T\ny\n',
      ['A/T'],
    ],
    [
      'names that look like patterns',
      '## Requirements\n### Requirement: (a+)+$\nx\n#### Scenario: __proto__\ny\n',
      ['(a+)+$/__proto__'],
    ],
  ])('%s', (_, text, names) => {
    expect(scenariosOf(text).map(({ requirement, name }) => `${requirement}/${name}`)).toEqual(names);
  });

  test('ten thousand requirements in one file are all there', () => {
    const many = Array.from(
      { length: 10_000 },
      (_, n) => `### Requirement: R${n}\nIt SHALL ${n}.\n\n#### Scenario: S\n- **WHEN** a\n- **THEN** b\n`,
    );
    const spec = parseSpec(`# Big\n\n## Purpose\nBig.\n\n## Requirements\n\n${many.join('\n')}`);
    expect(spec.requirements.length).toBe(10_000);
    expect(spec.requirements.at(-1)).toMatchObject({ name: 'R9999', line: 7 + 9_999 * 7 });
  });
});

const PIECES = [
  '#',
  '##',
  '###',
  '####',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '```',
  '~~~',
  '- ',
  '* ',
  '**',
  '`',
  ':',
  '：',
  '[ ]',
  '[x]',
  'Requirement:',
  'Scenario:',
];
const WORDS = [
  '## Requirements\n',
  '## Purpose\n',
  '## ADDED Requirements\n',
  'WHEN',
  'THEN',
  'AND',
  'FROM:',
  'TO:',
  '→',
  '当',
  '\u2028',
  '\u0000',
  '\uFEFF',
  '<!--',
];

const OPENINGS = [
  '# T\n',
  '# T #\n',
  '# Purpose\n',
  '#  \n',
  '#\n',
  '\n',
  '## Purpose\n',
  '## Purpose \n',
  '### More\n',
  'Words.\n',
  'C# words\n',
  '```\n',
  '## Requirements\n',
  '## \n',
  '# U\n',
  '\r\n',
  '\u2028',
];

describe('title and purpose', () => {
  test('are the same whether the whole text is read or only its beginning', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...OPENINGS), { maxLength: 12 }), fc.nat(3_000), (pieces, filler) => {
        const text = `${pieces.join('')}${'Filler.\n'.repeat(filler / 8)}${pieces.reverse().join('')}`;
        const { title, purpose } = parseSpec(text);
        expect(parseSummary(text)).toEqual({ title, purpose });
      }),
      { numRuns: times(2_000) },
    );
  });
});

describe('any text', () => {
  test('parses without throwing, and every scenario lies inside the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...PIECES, ...WORDS), fc.string({ unit: 'binary', maxLength: 8 })), {
          maxLength: 80,
        }),
        (pieces) => {
          const spec = parseSpec(pieces.join(''));
          const total = spec.outline.lines.length;
          for (const requirement of spec.requirements) {
            expect(requirement.to).toBeLessThanOrEqual(total);
            for (const scenario of requirement.scenarios) {
              expect(scenario.from).toBeLessThanOrEqual(scenario.to);
              clausesOf(spec, scenario);
            }
          }
        },
      ),
      { numRuns: times(500) },
    );
  });

  // A pattern that backtracks shows as a factor of a hundred here; ten leaves room for a busy machine.
  test.each([...PIECES, ...WORDS, '- [', '**WHEN ', '- **WHEN** a, **', '### Requirement: a #'])(
    'takes linear time when it repeats %j',
    (piece) => {
      const cost = (size: number): number => {
        const text = `## Requirements\n### Requirement: R\nx\n#### Scenario: S\n${piece.repeat(Math.ceil(size / piece.length))}`;
        const started = process.cpuUsage().user;
        const spec = parseSpec(text);
        for (const requirement of spec.requirements)
          for (const scenario of requirement.scenarios) clausesOf(spec, scenario);
        return process.cpuUsage().user - started;
      };
      cost(20_000);
      expect(cost(400_000)).toBeLessThan(40 * Math.max(cost(40_000), 2_000) + 200_000);
    },
  );
});

test('a first line of a megabyte is read in one go: a step for each pair of its characters would never end', () => {
  expect(parseSummary(`# ${'just ## ADDED Requirements '.repeat(40_000)}\n`).purpose).toBe('');
});
