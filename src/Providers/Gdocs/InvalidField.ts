import { InvalidInput } from "../../Api/Errors.ts"

export const invalidField = (field: string, message: string): InvalidInput =>
  new InvalidInput({
    message: "The input does not fit the document.",
    details: [{ path: ["input", field], message }]
  })
