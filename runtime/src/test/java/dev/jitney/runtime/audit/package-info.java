/** Tests of the audit log's words. */
package dev.jitney.runtime.audit;
