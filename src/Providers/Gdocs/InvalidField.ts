import { InvalidInput } from "../../Api/Errors.ts"

export const invalidField = (field: string, message: string): InvalidInput =>
  new InvalidInput({ message, details: [{ path: ["input", field], message }] })
