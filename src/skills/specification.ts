/** Limits that the Agent Skills specification sets. The MCP Skills extension has the same ones. */
export const NAME_MAX_CHARACTERS = 64;
export const DESCRIPTION_MAX_CHARACTERS = 1024;
export const COMPATIBILITY_MAX_CHARACTERS = 500;
