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
 * The functions streebog256, streebog512, gost_hmac, gost_encrypt and gost_decrypt for Spark SQL, without a prefix:
 * {@code spark.sql.extensions=io.github.bulatcrypto.spark.BulatExtensions}.
 */
public final class BulatExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
    /** Makes the extensions, as Spark does by the class's name. */
    public BulatExtensions() {}

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (Signature signature : Signature.values()) {
            add(extensions, signature);
        }
        return BoxedUnit.UNIT;
    }

    private static void add(SparkSessionExtensions extensions, Signature signature) {
        ExpressionInfo info = new ExpressionInfo(Functions.class.getName(), null, signature.sql,
                "_FUNC_" + signature.usage, "");
        extensions.injectFunction(new Tuple3<>(new FunctionIdentifier(signature.sql), info, new AbstractFunction1<>() {
            @Override
            public Expression apply(Seq<Expression> given) {
                List<Expression> arguments = new ArrayList<>(CollectionConverters.asJava(given));
                if (arguments.size() < signature.least || arguments.size() > signature.most) {
                    throw new IllegalArgumentException(signature.sql + signature.usage);
                }
                if (signature.least == 2) {
                    if (arguments.get(1) instanceof Literal literal && literal.value() != null) {
                        Functions.checkName(literal.value().toString());
                    }
                    if (arguments.size() < signature.most) {
                        arguments.add(Literal.create(Signature.NO_AAD, DataTypes.BinaryType));
                    }
                }
                List<AbstractDataType> types = new ArrayList<>(signature.types(arguments.size()));
                return new StaticInvoke(Functions.class, DataTypes.BinaryType, signature.method, scala(arguments),
                        scala(types), true, true, !signature.random, Option.empty());
            }
        }));
    }

    private static <T> Seq<T> scala(List<T> list) {
        return CollectionConverters.asScala(list).toList();
    }
}
