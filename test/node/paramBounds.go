// Tells which parameters the modules of an SDK and of ibc-go take: reads lines of {"module", "params"} and answers each with {"fault"},
// "" for none. The consensus parameters are those of block 1000 of a chain with CometBFT's defaults.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	storetypes "cosmossdk.io/store/types"
	cmtproto "github.com/cometbft/cometbft/proto/tendermint/types"
	cmttypes "github.com/cometbft/cometbft/types"
	"github.com/cosmos/cosmos-sdk/codec"
	"github.com/cosmos/cosmos-sdk/codec/address"
	codectypes "github.com/cosmos/cosmos-sdk/codec/types"
	"github.com/cosmos/cosmos-sdk/runtime"
	"github.com/cosmos/cosmos-sdk/testutil"
	auth "github.com/cosmos/cosmos-sdk/x/auth/types"
	bank "github.com/cosmos/cosmos-sdk/x/bank/types"
	consensus "github.com/cosmos/cosmos-sdk/x/consensus/types"
	crisiskeeper "github.com/cosmos/cosmos-sdk/x/crisis/keeper"
	crisis "github.com/cosmos/cosmos-sdk/x/crisis/types"
	distribution "github.com/cosmos/cosmos-sdk/x/distribution/types"
	gov "github.com/cosmos/cosmos-sdk/x/gov/types/v1"
	mint "github.com/cosmos/cosmos-sdk/x/mint/types"
	slashing "github.com/cosmos/cosmos-sdk/x/slashing/types"
	staking "github.com/cosmos/cosmos-sdk/x/staking/types"
	ibchost "github.com/cosmos/ibc-go/IBC/modules/apps/27-interchain-accounts/host/types"
	ibcclient "github.com/cosmos/ibc-go/IBC/modules/core/02-client/types"
	ibcconnection "github.com/cosmos/ibc-go/IBC/modules/core/03-connection/types"
)

type question struct {
	Module string          `json:"module"`
	Params json.RawMessage `json:"params"`
}

var cdc = codec.NewProtoCodec(codectypes.NewInterfaceRegistry())

func validate(asked question) error {
	switch asked.Module {
	case "cosmos.gov.v1":
		var params gov.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.ValidateBasic()
	case "cosmos.staking.v1beta1":
		var params staking.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "cosmos.slashing.v1beta1":
		var params slashing.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "cosmos.mint.v1beta1":
		var params mint.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "cosmos.distribution.v1beta1":
		var params distribution.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.ValidateBasic()
	case "cosmos.bank.v1beta1":
		var params bank.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "cosmos.auth.v1beta1":
		var params auth.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "cosmos.consensus.v1":
		var msg consensus.MsgUpdateParams
		if err := cdc.UnmarshalJSON(asked.Params, &msg); err != nil {
			return err
		}
		var proto cmtproto.ConsensusParams
		proto, err := msg.ToProtoConsensusParams()
		if err != nil {
			return err
		}
		if err := cmttypes.ConsensusParamsFromProto(proto).ValidateBasic(); err != nil {
			return err
		}
		return cmttypes.DefaultConsensusParams().ValidateUpdate(&proto, 1000)
	case "cosmos.crisis.v1beta1":
		var msg crisis.MsgUpdateParams
		if err := cdc.UnmarshalJSON(asked.Params, &msg); err != nil {
			return err
		}
		key := storetypes.NewKVStoreKey(crisis.StoreKey)
		ctx := testutil.DefaultContext(key, storetypes.NewTransientStoreKey("transient"))
		store := runtime.NewKVStoreService(key)
		keeper := crisiskeeper.NewKeeper(cdc, store, 1, nil, "fees", msg.Authority, address.NewBech32Codec("cosmos"))
		_, err := keeper.UpdateParams(ctx, &msg)
		return err
	case "ibc.core.client.v1":
		var params ibcclient.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "ibc.core.connection.v1":
		var params ibcconnection.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	case "ibc.applications.interchain_accounts.host.v1":
		var params ibchost.Params
		if err := cdc.UnmarshalJSON(asked.Params, &params); err != nil {
			return err
		}
		return params.Validate()
	}
	return fmt.Errorf("unknown module %s", asked.Module)
}

func answer(asked question) (fault string) {
	defer func() {
		if reason := recover(); reason != nil {
			fault = fmt.Sprint(reason)
		}
	}()
	if err := validate(asked); err != nil {
		return err.Error()
	}
	return ""
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		text, _ := json.Marshal(map[string]string{"fault": answer(asked)})
		fmt.Println(string(text))
	}
}
