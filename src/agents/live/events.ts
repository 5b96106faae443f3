/** Reads the events that an agent prints as lines of JSON. They are untrusted: unexpected shapes are ignored. */
import { isRecord } from '../../core/json-file.ts';

/** The parts of an event that matter. */
export interface RunEvent {
  /** Names of skills that the model loads. */
  skills?: string[];
  /** Texts that may contain the path of a `SKILL.md` that the model reads. */
  reads?: string[];
  /** The calls of one turn have been answered, so all skills that it loads are known. */
  answersCalls?: boolean;
  /** Message of an error. */
  problem?: string;
}

export type EventReader = (event: Readonly<Record<string, unknown>>) => RunEvent;

/** Claude Code has a tool that loads a skill. */
export const readClaudeEvent: EventReader = ({ type, message, is_error: isError, result, errors }) => {
  const blocks = blocksOf(message);
  if (type === 'assistant') {
    const calls = blocks.filter((block) => block['type'] === 'tool_use');
    return {
      skills: calls.flatMap(({ name, input }) => (name === 'Skill' ? textsIn(input, 'skill') : [])),
      reads: calls.flatMap(({ name, input }) => (name === 'Read' ? textsIn(input, 'file_path') : [])),
    };
  }
  if (type === 'user') return { answersCalls: blocks.some((block) => block['type'] === 'tool_result') };
  if (type !== 'result' || isError !== true) return {};
  const problem = [result, ...(Array.isArray(errors) ? errors : [])].find((each) => typeof each === 'string');
  return { problem: problem ?? 'it reported an error' };
};

/** Codex has no such tool: its model reads the file with a command. */
export const readCodexEvent: EventReader = ({ type, item, error, message }) => {
  if (type === 'item.completed' && isRecord(item)) {
    if (item['type'] !== 'command_execution' || item['exit_code'] !== 0) return {};
    return { reads: textsIn(item, 'command'), answersCalls: true };
  }
  if (type === 'turn.failed') return { problem: textsIn(error, 'message')[0] ?? 'it reported an error' };
  return type === 'error' && typeof message === 'string' ? { problem: message } : {};
};

function blocksOf(message: unknown): Readonly<Record<string, unknown>>[] {
  const content = isRecord(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function textsIn(data: unknown, key: string): string[] {
  const value = isRecord(data) && Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof value === 'string' ? [value] : [];
}
