package io.github.bulatcrypto.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The functions streebog256, streebog512, gost_hmac, gost_encrypt and gost_decrypt for Spark SQL:
 * {@code spark.sql.extensions=io.github.bulatcrypto.spark.BulatExtensions}.
 */
public final class BulatExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    /** Makes the extensions, as Spark does by the class's name. */
    public BulatExtensions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        add(extensions, "streebog256", "streebog256", "(expr) - The Streebog-256 of a binary value.", false, 1, 1);
        add(extensions, "streebog512", "streebog512", "(expr) - The Streebog-512 of a binary value.", false, 1, 1);
        add(extensions, "gost_hmac", "hmac", "(expr, key) - HMAC over Streebog-256 under the key of this name.", false, 2, 2);
        add(extensions, "gost_encrypt", "encrypt",
                "(expr, key[, aad]) - Seals with Kuznyechik-MGM under the key of this name and a random nonce.", true, 2, 3);
        add(extensions, "gost_decrypt", "decrypt",
                "(expr, key[, aad]) - Opens a result of gost_encrypt; a wrong tag ends the query.", false, 2, 3);
        return BoxedUnit.UNIT;
    }

    private static void add(SparkSessionExtensions extensions, String name, String method, String usage, boolean random,
            int least, int most) {
        ExpressionInfo info = new ExpressionInfo(Functions.class.getName(), null, name, "_FUNC_" + usage, "");
        extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(name), info, new AbstractFunction1<>() {
            @Override
            public Expression apply(Seq<Expression> given) {
                List<Expression> arguments = new ArrayList<>(CollectionConverters.asJava(given));
                if (arguments.size() < least || arguments.size() > most) {
                    throw new IllegalArgumentException(name + usage);
                }
                if (least == 2) {
                    if (arguments.get(1) instanceof Literal literal && literal.value() != null) {
                        Functions.checkName(literal.value().toString());
                    }
                    if (arguments.size() < most) {
                        arguments.add(Literal.create(new byte[0], DataTypes.BinaryType));
                    }
                }
                List<AbstractDataType> types = new ArrayList<>();
                for (int i = 0; i < arguments.size(); i++) {
                    types.add(i == 1 ? DataTypes.StringType : DataTypes.BinaryType);
                }
                return new StaticInvoke(Functions.class, DataTypes.BinaryType, method, scala(arguments), scala(types), true,
                        true, !random, Option.empty());
            }
        }));
    }

    private static <T> Seq<T> scala(List<T> list) {
        return CollectionConverters.asScala(list).toList();
    }
}
