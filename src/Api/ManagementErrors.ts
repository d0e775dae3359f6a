import { ClientUses } from "../Domain/Client.ts"
import { apiError } from "./ApiError.ts"

export class ClientNotFound extends apiError("ClientNotFound", {
  code: "client_not_found",
  status: 404,
  when: "There is no client with that id"
}) {}

export class ClientInUse extends apiError("ClientInUse", {
  code: "client_in_use",
  status: 409,
  when: "Active connections belong to the client; revoke them first, or with `revoke=true`",
  details: ClientUses
}) {}

export class MemberNotFound extends apiError("MemberNotFound", {
  code: "member_not_found",
  status: 404,
  when: "There is no member with that id"
}) {}

export class EmailTaken extends apiError("EmailTaken", {
  code: "email_taken",
  status: 409,
  when: "Another member has this e-mail address; upper and lower case count as the same"
}) {}

export class LastAdmin extends apiError("LastAdmin", {
  code: "last_admin",
  status: 409,
  when: "The last admin cannot be deleted or made a member; make another member an admin first"
}) {}

export class LinkNotFound extends apiError("LinkNotFound", {
  code: "link_not_found",
  status: 404,
  when: "There is no such connect link"
}) {}

export class LinkOver extends apiError("LinkOver", {
  code: "link_over",
  status: 410,
  when: "The connect link is used up, ended or expired"
}) {
  readonly isUsedUp: boolean

  constructor({ isUsedUp = false, message }: { readonly message: string; readonly isUsedUp?: boolean }) {
    super({ message })
    this.isUsedUp = isUsedUp
  }
}

export class ConnectionDerived extends apiError("ConnectionDerived", {
  code: "connection_derived",
  status: 409,
  when: "A derived connection has no credentials of its own: reconnect its parent"
}) {}

export class KeyNotFound extends apiError("KeyNotFound", {
  code: "key_not_found",
  status: 404,
  when: "There is no API key with that id"
}) {}

export class GrantNotFound extends apiError("GrantNotFound", {
  code: "grant_not_found",
  status: 404,
  when: "There is no grant with that id"
}) {}
