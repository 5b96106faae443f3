import { expect, test } from 'vitest';
import { recordOf, traceOf } from '../../src/server/request-record.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  [`00-${TRACE}-${SPAN}-01`, 'the form of today'],
  [`00-${TRACE}-${SPAN}-00`, 'not sampled'],
  [`cc-${TRACE}-${SPAN}-01-what-comes-later`, 'a later version with more parts'],
])('%s has a trace: %s', (header, _why) => {
  expect(traceOf(header)).toBe(TRACE);
});

test.each([
  [undefined, 'none'],
  ['', 'empty'],
  [`ff-${TRACE}-${SPAN}-01`, 'the version that is never used'],
  [`00-${TRACE}-${SPAN}-01-more`, 'more than this version has'],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, 'capital letters'],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, 'a trace of zeros'],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, 'a parent of zeros'],
  [`00-${TRACE}-${SPAN}`, 'no flags'],
  [`00-${TRACE}-${SPAN}-01\n{"level":"error"}`, 'a second line'],
])('%s is ignored: %s', (header, _why) => {
  expect(traceOf(header)).toBeUndefined();
});

test('a probe that goes well is not worth a line, and one that does not is', () => {
  const probe = {
    method: 'GET',
    path: '/readyz',
    ms: 1,
    isCut: false,
    who: undefined,
    traceparent: undefined,
    fields: {},
  };
  expect(recordOf({ ...probe, status: 200 })).toBeUndefined();
  expect(recordOf({ ...probe, status: 503 })).toEqual({ verb: 'GET', path: '/readyz', status: 503, ms: 1 });
});
