import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * Access log format of the gateway: one JSON line per request. Leaves out query and headers, which may hold personal
 * data and tokens.
 */
export function buildAccessLogFormat(): AccessLogFormat {
  return AccessLogFormat.custom(
    JSON.stringify({
      request_id: '$context.requestId',
      lambda_request_id: '$context.integration.requestId',
      time: '$context.requestTimeEpoch',
      environment: '$context.stage',
      method: '$context.httpMethod',
      resource: '$context.resourcePath',
      status: '$context.status',
      response_bytes: '$context.responseLength',
      latency_ms: '$context.responseLatency',
      integration_ms: '$context.integrationLatency',
      error: '$context.error.responseType',
      ip: '$context.identity.sourceIp',
    }),
  );
}
