/** An operation of the API as a tool. `npm run derive` writes all of them to `tools.json`. */
export interface Tool {
  /** Id of the operation with `_` for `/`, which vendors of models do not accept in a name. */
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [keyword: string]: unknown };
  annotations: Record<string, boolean>;
  request: ToolRequest;
}

/** The request that a call of a tool becomes. */
export interface ToolRequest {
  method: string;
  /** Path with the names of arguments in braces. */
  path: string;
  /** Names of the arguments that become parameters of the query. */
  query: string[];
  /** True if all other arguments become the body. */
  hasBody: boolean;
  /** Names of the fields of the body that are no arguments, and never sent. */
  dropped: string[];
  /** Headers by the names of the arguments that they take their values from. */
  headers: Record<string, string>;
}

/** Returns the group of a tool: the first part of the id of its operation. */
export const getGroup = ({ name }: Tool): string => name.split('_', 1)[0] ?? name;
