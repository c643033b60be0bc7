import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type GatewayFault, gatewayFaults } from '../../../shared/errors.ts';

/** Headers of responses that no function sends. Any web app may read them. */
export const errorHeaders = {
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, x-request-id',
};

/** Returns a fault as the JSON body of an error response. */
export const toErrorBody = ({ loc, msg, type }: GatewayFault): string =>
  JSON.stringify({ detail: [{ loc, msg, type }] });

const quotedHeaders = Object.fromEntries(Object.entries(errorHeaders).map(([name, value]) => [name, `'${value}'`]));

/** Gives the gateway's own error responses the shape of the service's errors. (Its 413 is reported to ignore this.) */
export function addGatewayErrors(api: RestApi): void {
  const addResponse = (name: string, type: ResponseType, fault: GatewayFault) =>
    api.addGatewayResponse(name, {
      type,
      statusCode: String(fault.status),
      responseHeaders: {
        'x-request-id': 'context.requestId',
        ...quotedHeaders,
        ...(fault.retry && { 'retry-after': "'1'" }),
      },
      templates: { 'application/json': toErrorBody(fault) },
    });

  addResponse('BadRequest', ResponseType.DEFAULT_4XX, gatewayFaults.badRequest);
  addResponse('NotFound', ResponseType.MISSING_AUTHENTICATION_TOKEN, gatewayFaults.noSuchPath);
  addResponse('Filtered', ResponseType.WAF_FILTERED, gatewayFaults.filtered);
  addResponse('TooLarge', ResponseType.REQUEST_TOO_LARGE, gatewayFaults.tooLarge);
  addResponse('UnsupportedMediaType', ResponseType.UNSUPPORTED_MEDIA_TYPE, gatewayFaults.unsupported);
  addResponse('Throttled', ResponseType.THROTTLED, gatewayFaults.throttled);
  addResponse('QuotaExceeded', ResponseType.QUOTA_EXCEEDED, gatewayFaults.throttled);
  addResponse('Internal', ResponseType.API_CONFIGURATION_ERROR, gatewayFaults.internal);
  addResponse('BadGateway', ResponseType.DEFAULT_5XX, gatewayFaults.badGateway);
  // A crash, a throttled function, or a response that cannot be passed on: the function may have run completely,
  // partly, or not at all. Keep the id: under a new one, CloudFormation would create the response, then delete it
  // together with the old one.
  addResponse('Unavailable', ResponseType.INTEGRATION_FAILURE, gatewayFaults.badGateway);
  addResponse('Timeout', ResponseType.INTEGRATION_TIMEOUT, gatewayFaults.timeout);
}
