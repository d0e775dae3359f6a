import type { NewConnectLink } from "../../../Domain/ConnectLink.ts"
import { useServiceMutation } from "../../Service/Queries.ts"

export const useCreateLink = () =>
  useServiceMutation(
    (service, payload: NewConnectLink) => service.connectLinks.create({ payload }),
    ["connect_links"]
  )
