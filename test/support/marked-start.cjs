/**
 * Preloaded with `--require`: writes one byte to descriptor 3 immediately before the first statement of the program. Signals
 * that arrive between the byte and the end of the program's first synchronous part are kept for the program's own listeners,
 * because a test cannot know whether the first statement has run when it has read the byte.
 */
'use strict';
const fs = require('node:fs');
const Module = require('node:module');

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const { _compile: compile } = Module.prototype;

Module.prototype._compile = function (content, ...rest) {
  Module.prototype._compile = compile;
  return compile.call(this, `process.emit('test:start');${content.replace(/^#!.*/u, '')}`, ...rest);
};

process.once('test:start', () => {
  const keep = () => undefined;
  for (const signal of SIGNALS) process.on(signal, keep);
  // Runs before promises are settled, and so before the program loads anything asynchronously.
  process.nextTick(() => {
    for (const signal of SIGNALS) process.off(signal, keep);
  });
  if (process.env.TEST_SIGNAL_AT_START) process.kill(process.pid, process.env.TEST_SIGNAL_AT_START);
  fs.writeSync(3, '.');
});
