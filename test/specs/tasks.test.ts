import { describe, expect, test } from 'vitest';
import { parseTasks } from '../../src/specs/tasks.ts';

describe('tasks', () => {
  test.each([
    ['dashes', '- [ ] a\n- [x] b\n', '1/2'],
    ['capital X', '- [X] a\n', '1/1'],
    ['stars and pluses', '* [ ] a\n+ [x] b\n', '1/2'],
    ['numbers', '1. [ ] a\n2) [x] b\n1234567890. [x] too many digits\n', '1/2'],
    ['nested', '- [x] a\n  - [ ] b\n\t- [x] c\n', '2/3'],
    ['other marks are open', '- [~] a\n- [-] b\n- [] c\n- [ x ] d\n', '1/4'],
    ['no blank behind the box', '- [x]a\n', '1/1'],
    ['links are no boxes', '- [a](b)\n- [x][ref]\n- [word] c\n', '0/0'],
    ['a blank box before a bracket is one', '- [ ](b)\n', '0/1'],
    ['boxes in fences are examples', '- [x] a\n```md\n- [ ] b\n```\n~~~\n- [ ] c\n~~~\n', '1/1'],
    [
      'boxes below a fence that is never closed count',
      '- [x] a\n```sh\nnpm test\n\n- [ ] b\n~~~\n- [ ] c\n~~~\n',
      '1/3',
    ],
    ['a closed fence before an open one', '```\n- [ ] a\n```\n- [x] b\n```\n- [ ] c\n', '1/2'],
    ['CRLF', '- [x] a\r\n- [ ] b\r\n', '1/2'],
    ['plain lists', '- a\n1. b\n', '0/0'],
    ['nothing', '', '0/0'],
  ])('%s', (_, text, expected) => {
    const { tasks } = parseTasks(text);
    expect(`${tasks.filter(({ done }) => done).length}/${tasks.length}`).toBe(expected);
  });

  test('tasks below a fence that is never closed belong to the headings there', () => {
    const { tasks, openFence } = parseTasks('## 1. Do\n```\nx\n## 2. More\n- [ ] 2.1 a\n');
    expect(tasks).toMatchObject([{ text: '2.1 a', line: 5, group: '2. More' }]);
    expect(openFence).toBe(2);
  });

  test('the boxes of closed fences are kept apart, because OpenSpec counts them', () => {
    const { examples, openFence } = parseTasks('- [x] a\n```\n- [ ] b\n```\n');
    expect(examples).toMatchObject([{ text: 'b', line: 3, done: false }]);
    expect(openFence).toBeUndefined();
  });

  test('each has its text, its line and the heading above', () => {
    expect(parseTasks('# Tasks\n\n## 1. Do\n- [x] 1.1 first\n  - [ ] part\n').tasks).toEqual([
      { done: true, text: '1.1 first', line: 4, indent: 0, group: '1. Do' },
      { done: false, text: 'part', line: 5, indent: 2, group: '1. Do' },
    ]);
  });
});
