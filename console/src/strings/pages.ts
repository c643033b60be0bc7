/** Pages that are yet to come. */
export const pages = {
  soon: 'Not built yet',
  overview: 'Calls and minutes per day will be shown here.',
  assistants: 'Your assistants will be shown here.',
} as const;
