import { Aws, Fn } from 'aws-cdk-lib';

/**
 * Returns the first eight hex digits of the stack's id. They make names unique that outlive the stack, such as a backup
 * vault, or that are shared by a whole region, such as the domain prefix of a user pool.
 */
export const getStackSuffix = (): string => Fn.select(0, Fn.split('-', Fn.select(2, Fn.split('/', Aws.STACK_ID))));
