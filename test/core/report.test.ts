import { describe, expect, test } from 'vitest';
import { defineRule, type Diagnostic, type Severity } from '../../src/core/diagnostics.ts';
import { type Judged, reportOf, unreadItems } from '../../src/core/report.ts';

const rule = defineRule({ code: 'odd-thing', severity: 'error', title: 'T', about: 'A', fix: 'Fix it.' });
const advice = defineRule({ ...rule, code: 'own-advice', severity: 'warning', advice: true });
const found = (severity: Severity, path = '/a'): Diagnostic => rule.at({ path, message: 'm', severity });
const skill = (id: string, ...diagnostics: Diagnostic[]): Judged => ({ type: 'skill', id, diagnostics });

test('a finding has the words of the public JSON, and no key that it does not need', () => {
  const diagnostics = [
    rule.at({ path: '/a', message: 'm', line: 2, section: 's' }),
    rule.at({ path: '/b', message: 'n' }),
  ];
  const common = { code: 'odd-thing', item: 'x', fix: 'Fix it.', docs: 'docs/reference/diagnostics.md#odd-thing' };
  expect(reportOf([skill('x', ...diagnostics)], { strict: false, noun: 'skill' })).toStrictEqual({
    valid: false,
    errors: [
      { ...common, file: '/a', line: 2, section: 's', description: 'm' },
      { ...common, file: '/b', description: 'n' },
    ],
    warnings: [],
    info: [],
    summary: '1 of 1 skill not valid.',
    items: [{ type: 'skill', id: 'x', valid: false }],
  });
});

test('findings are sorted by file, line and code within their item, and items keep their order', () => {
  const at = (path: string, line: number): Diagnostic => rule.at({ path, line, message: `${path}:${line}` });
  const report = reportOf([skill('z', at('/b', 1), at('/a', 9), at('/a', 2)), skill('a', at('/0', 1))], {
    strict: false,
  });
  expect(report.errors.map(({ item, description }) => `${item} ${description}`)).toEqual([
    'z /a:2',
    'z /a:9',
    'z /b:1',
    'a /0:1',
  ]);
});

describe('the verdict', () => {
  test.each<[string, Diagnostic, boolean, boolean]>([
    ['an error', found('error'), false, false],
    ['a warning', found('warning'), true, false],
    ['information', found('info'), true, true],
    ['advice', advice.at({ path: '/a', message: 'm' }), true, true],
    ['advice that is an error', advice.at({ path: '/a', message: 'm', severity: 'error' }), true, true],
  ])('%s', (_, diagnostic, plain, strict) => {
    const valid = (strictly: boolean): boolean => reportOf([skill('x', diagnostic)], { strict: strictly }).valid;
    expect([valid(false), valid(true)]).toEqual([plain, strict]);
  });
});

test('findings without an item are reported under their path, which counts as an item only with an error', () => {
  const unread = unreadItems('spec', [found('error', '/a'), found('warning', '/a'), found('warning', '/b')]);
  const report = reportOf(unread, { strict: false, noun: 'spec' });
  expect(report.items).toEqual([{ type: 'spec', id: '/a', valid: false }]);
  expect(report.warnings.map(({ item, file }) => [item, file])).toEqual([
    ['/a', '/a'],
    ['/b', '/b'],
  ]);
});

test.each<[string, Judged[], boolean, string]>([
  ['nothing', [], false, 'No skills to validate.'],
  ['one', [skill('x')], false, '1 skill valid.'],
  ['some fail', [skill('x'), skill('y', found('error'))], false, '1 of 2 skills not valid.'],
  [
    'only a filter fails',
    unreadItems('skill', [found('warning')]),
    true,
    'No skills to validate, but there are warnings.',
  ],
])('the summary: %s', (_, judged, strict, summary) => {
  expect(reportOf(judged, { strict, noun: 'skill' }).summary).toBe(summary);
});

test('the summary of several types speaks of items', () => {
  expect(reportOf([], { strict: false }).summary).toBe('Nothing to validate.');
  expect(reportOf([skill('x'), { ...skill('y'), type: 'spec' }], { strict: false }).summary).toBe('2 items valid.');
});
