/** Pages that are yet to come. */
export const pages = {
  soon: 'Not built yet',
  assistants: 'Your assistants will be shown here.',
} as const;
