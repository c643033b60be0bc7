import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type GatewayFault, gatewayFaults } from '../shared/errors.ts';

/** The headers of an answer that no function makes: any web app may read it. */
export const errorHeaders = {
  'cache-control': 'no-store',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, x-request-id',
};

/** The body of such an answer. */
export const errorBody = ({ loc, msg, type }: GatewayFault): string => JSON.stringify({ detail: [{ loc, msg, type }] });

const quoted = Object.fromEntries(Object.entries(errorHeaders).map(([name, value]) => [name, `'${value}'`]));

/** What the gateway answers by itself, in the service's one error shape. (Its 413 is reported to ignore this.) */
export function shapeGatewayErrors(api: RestApi): void {
  const shape = (name: string, type: ResponseType, fault: GatewayFault) =>
    api.addGatewayResponse(name, {
      type,
      statusCode: String(fault.status),
      responseHeaders: {
        'x-request-id': 'context.requestId',
        ...quoted,
        ...(fault.retry && { 'retry-after': "'1'" }),
      },
      templates: { 'application/json': errorBody(fault) },
    });

  shape('BadRequest', ResponseType.DEFAULT_4XX, gatewayFaults.badRequest);
  shape('NotFound', ResponseType.MISSING_AUTHENTICATION_TOKEN, gatewayFaults.noSuchPath);
  shape('Filtered', ResponseType.WAF_FILTERED, gatewayFaults.filtered);
  shape('TooLarge', ResponseType.REQUEST_TOO_LARGE, gatewayFaults.tooLarge);
  shape('UnsupportedMediaType', ResponseType.UNSUPPORTED_MEDIA_TYPE, gatewayFaults.unsupported);
  shape('Throttled', ResponseType.THROTTLED, gatewayFaults.throttled);
  shape('QuotaExceeded', ResponseType.QUOTA_EXCEEDED, gatewayFaults.throttled);
  shape('Internal', ResponseType.API_CONFIGURATION_ERROR, gatewayFaults.internal);
  shape('BadGateway', ResponseType.DEFAULT_5XX, gatewayFaults.badGateway);
  // A crash, a throttled function, or an answer that cannot be passed on: the function has run to its end, in part, or not at all.
  // The id stays: CloudFormation would make the response of another one, and then delete it with this one.
  shape('Unavailable', ResponseType.INTEGRATION_FAILURE, gatewayFaults.badGateway);
  shape('Timeout', ResponseType.INTEGRATION_TIMEOUT, gatewayFaults.timeout);
}
