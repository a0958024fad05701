/** Tests of the texts of the audit log. */
package dev.jitney.runtime.audit;
