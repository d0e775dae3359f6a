import { Schema } from "effect"
import { Member } from "../../Domain/Member.ts"

export const SignedIn = Schema.Struct({ member: Member })
