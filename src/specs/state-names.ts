/** States of a change, in the order of the work. In a separate file, so that help loads nothing else. */
export const CHANGE_STATES = ['draft', 'in progress', 'blocked', 'ready to archive', 'archived'] as const;

/** Kinds of steps in an order to archive changes. */
export const STEP_KINDS = ['free', 'ordered', 'conflict', 'refused'] as const;
