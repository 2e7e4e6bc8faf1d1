#!/usr/bin/env bash
# Calls of the sandbox by hand. In another terminal: paydrop sandbox --seed samples/sandbox.yaml --control

# Requests of the interface, each signed with the key's secret.
call() { # METHOD PATH [BODY]
  signature=$(printf '%s\n%s\n%s' "$1" "$2" "${3-}" | openssl dgst -sha256 -hmac demo-signing-secret-0001 -r | cut -d' ' -f1)
  curl -s -X "$1" "http://127.0.0.1:4010$2" -H 'key: demo-key' -H "signature: $signature" --data-binary "${3-}"
}
now() { date -u +%Y-%m-%dT%H:%M:%S.000Z; }

call GET "/payouts?queryDate=$(now)&states=COMPLETED&states=SENT&sort=createdDate,desc&page=0&size=5"
call POST /payouts '{ "username": "treasury-bot", "accountId": "6f1cbb7e-0000-4000-8000-000000000005", "nonce": 1,
  "reference": "TRIAL-1", "callbackUrl": "https://pay.example.com/hook", "requestedAmount": { "currency": "BTC", "amount": 0.01 },
  "destinationAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" }'
call POST /payouts/v2/find "{ \"queryDate\": \"$(now)\", \"references\": [\"TRIAL-1\"] }"

# The control API: a command answers 204, or an error array. `POST deposits` takes an element of the seed's `deposits`.
control() { curl -s -X "$1" "http://127.0.0.1:4010/control/$2" ${3:+--data "$3"} -w ' %{http_code}\n'; } # METHOD WHAT [BODY]

control GET creations # the payouts that requests created, with nonce and body
control GET arrivals  # every request that arrived, with the status of its answer
control GET movements # every movement of money
control POST accounts '{ "accountId": "6f1cbb7e-0000-4000-8000-000000000007", "openingBalance": "2" }'
control PUT rates '[{ "fromCurrency": "BTC", "toCurrency": "EUR", "rate": "90000" }]'
control POST foreign-payouts '{ "accountId": "6f1cbb7e-0000-4000-8000-000000000001", "reference": "EXT-1", "amount": "0.001",
  "destinationAddress": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4" }' # somebody else's
control POST funds '{ "depositId": "6f1cbb7e-0000-4000-8000-0000000000d1",
  "parts": [{ "amount": "0.001", "confirmAfterMs": 500 }] }'
control POST users '{ "key": "demo-key", "user": { "username": "ben", "otpSecret": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" } }'
control PUT cosigners '{ "accountId": "6f1cbb7e-0000-4000-8000-000000000007",
  "cosigners": [{ "userGroupName": "board", "username": "ben" }] }'
payoutId=$(curl -s http://127.0.0.1:4010/control/creations | grep -o '"payoutId":"[^"]*"' | tail -1 | cut -d'"' -f4)
control POST decisions "{ \"payoutId\": \"$payoutId\", \"username\": \"ada\", \"decision\": \"approve\" }"
control PUT visibility "{ \"payoutId\": \"$payoutId\", \"hiddenForMs\": 60000 }" # 0: visible again; without it: for ever
control POST time '{ "durationMs": 3600000 }' # advances its clock

# Fault scripts: the first that matches a request applies; an empty list ends all.
control PUT faults '[{ "operation": "createPayoutV2", "nth": 1, "effect": { "kind": "cut-after-commit" } }]'
control PUT faults '{ "randomSeed": 7, "scripts": [{ "operation": "*", "chance": 0.5,
  "effect": { "kind": "answer", "statusCode": 503, "body": "", "committed": false } }] }'
control PUT faults '[]'
