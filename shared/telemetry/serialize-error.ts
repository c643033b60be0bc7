/** Returns the name, message and stack of an error and its causes, for the log. Contains no request data. */
export const serializeError = (error: unknown): unknown =>
  error instanceof Error
    ? {
        name: error.name,
        message: error.message,
        stack: error.stack,
        cause: error.cause && serializeError(error.cause),
      }
    : { message: String(error) };
