/** Limits of the Agent Skills specification, which also apply to the MCP Skills extension. */
export const NAME_MAX_CHARACTERS = 64;
export const DESCRIPTION_MAX_CHARACTERS = 1024;
export const COMPATIBILITY_MAX_CHARACTERS = 500;
