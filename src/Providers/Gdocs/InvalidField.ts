import { InvalidInput } from "../../Api/Errors.ts"

/** The error for a tool's field whose value does not fit the document. */
export const invalidField = (field: string, message: string): InvalidInput =>
  new InvalidInput({ message, details: [{ path: ["input", field], message }] })
