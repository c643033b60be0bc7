/** A service of AWS that runs on this machine. */
export interface Emulator {
  endpoint: string;
  stop(): Promise<void>;
}

/** The only key pair that s3rver takes; the others take any. */
export const credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
