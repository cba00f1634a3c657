import { config } from 'zod/mini';

/**
 * Lets the protocol's library check messages without compiling code for each form of them, which takes longer than the
 * checks. Its forms are made while it is loaded, so import this file first.
 */
config({ jitless: true });
