/** The states of a change. In a file of their own, so that help loads nothing else. */
export const CHANGE_STATES = ['draft', 'in progress', 'ready to archive', 'archived'] as const;
