import type { ConnectRequest } from "../../../Domain/Connection.ts"
import { useServiceMutation } from "../../Service/Queries.ts"

export const useSignInTab = () => {
  const start = useServiceMutation((service, payload: ConnectRequest) => service.connect.start({ payload }), [])
  const begin = (request: ConnectRequest) => {
    // Opened before the request: browsers let a click open a page, but not its later response.
    const page = open("about:blank", "_blank")
    start.mutate(request, {
      onSuccess: ({ authorize_url }) => {
        if (page) page.location.href = authorize_url
        else location.assign(authorize_url)
      },
      onError: () => page?.close()
    })
  }
  return { begin, error: start.error, isPending: start.isPending, isSuccess: start.isSuccess }
}
