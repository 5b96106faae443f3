/** States of a change. In a separate file, so that help loads nothing else. */
export const CHANGE_STATES = ['draft', 'in progress', 'ready to archive', 'archived'] as const;
