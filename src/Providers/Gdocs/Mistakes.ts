import { InvalidInput } from "../../Api/Errors.ts"

/** Something that is wrong with a field of a tool's input, seen only in what the document holds. */
export const mistake = (field: string, message: string): InvalidInput =>
  new InvalidInput({ message, details: [{ path: ["input", field], message }] })
