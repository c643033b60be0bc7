import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Assembly } from '../template.ts';

/** Default statuses of API Gateway's own errors, by response type. The template may override them. */
const statuses = {
  BAD_REQUEST_BODY: 400,
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  THROTTLED: 429,
  INTEGRATION_TIMEOUT: 504,
  /** The function crashed, timed out, was throttled or returned an invalid result. */
  INTEGRATION_FAILURE: 502,
} as const;

export type ResponseType = keyof typeof statuses;

/** An error that the gateway answers itself. */
export class GatewayError extends Error {
  readonly type: ResponseType;
  constructor(type: ResponseType) {
    super(type);
    this.type = type;
  }
}

interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

/** Creates the function that answers the gateway's own errors, as the template's gateway responses configure them. */
export function createGatewayResponses(
  assembly: Assembly,
): (type: ResponseType, context: { requestId: string }) => APIGatewayProxyResult {
  const configured = new Map(
    assembly.listResources('AWS::ApiGateway::GatewayResponse').map(({ Properties }) => {
      const response = Properties as unknown as GatewayResponse;
      return [response.ResponseType, response];
    }),
  );
  return (type, context) => {
    const status = statuses[type];
    if (type === 'REQUEST_TOO_LARGE') return { statusCode: 413, body: '{"message":"Request Too Long"}' }; // AWS does not let a template configure it
    const response = configured.get(type) ?? configured.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const parameters = Object.entries(response?.ResponseParameters ?? {}).map(([name, value]) => [
      name.replace('gatewayresponse.header.', ''),
      value === 'context.requestId' ? context.requestId : value.replace(/^'|'$/g, ''),
    ]);
    return {
      statusCode: Number(response?.StatusCode ?? status),
      headers: Object.fromEntries(parameters),
      body: response?.ResponseTemplates?.['application/json'] ?? '{"message":null}',
    };
  };
}
