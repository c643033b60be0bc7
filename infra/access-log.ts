import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/** One JSON line per request. No query, no headers: they may hold what nobody should read. */
export function accessLogFormat(): AccessLogFormat {
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
