import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Assembly } from './template.ts';

/** What API Gateway answers by itself, by its own names, with the status that it has unless the template says otherwise. */
const statuses = {
  BAD_REQUEST_BODY: 400,
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  THROTTLED: 429,
  INTEGRATION_TIMEOUT: 504,
  /** A function crashed, ran out of its own time, was throttled, or gave no answer that can be passed on. */
  INTEGRATION_FAILURE: 502,
} as const;

export type ResponseType = keyof typeof statuses;

interface GatewayResponse {
  ResponseType: string;
  StatusCode?: string;
  ResponseParameters?: Record<string, string>;
  ResponseTemplates?: Record<string, string>;
}

/** The gateway's own answers, as the template's gateway responses shape them. */
export function gatewayResponses(
  assembly: Assembly,
): (type: ResponseType, context: { requestId: string }) => APIGatewayProxyResult {
  const shaped = new Map(
    assembly.resources('AWS::ApiGateway::GatewayResponse').map(({ Properties }) => {
      const response = Properties as unknown as GatewayResponse;
      return [response.ResponseType, response];
    }),
  );
  return (type, context) => {
    const status = statuses[type];
    if (type === 'REQUEST_TOO_LARGE') return { statusCode: 413, body: '{"message":"Request Too Long"}' }; // not to be shaped
    const response = shaped.get(type) ?? shaped.get(status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
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
