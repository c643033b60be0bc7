declare module 'mammoth/lib/results.js' {
  export interface Message {
    type: string;
    message: string;
  }

  export class Result {
    constructor(value: unknown, messages: Message[]);
    value: unknown;
    /** One or several messages. */
    messages: Message | Message[];
    flatMap(toResult: (value: unknown) => Result): Result;
    flatMapThen(toResult: (value: unknown) => PromiseLike<Result>): PromiseLike<Result>;
    static combine(results: Result[]): Result;
  }
}
